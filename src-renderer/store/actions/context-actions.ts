// Owns what the window asks about a context window and how it is handled.
import type { Answer } from '@common/contract/bridge'
import type { CarryOverView, ContextSections } from '@common/contract/context-views'
import type { App } from '../app-store'
import { changeSetting } from './provider-actions'
import { ask } from './report'

/** What the next request would hold; counted in main, so it is asked only where a person looks. */
export function readSections(app: App, workspaceId: string): Promise<Answer<ContextSections>> {
  return app.bridge.request('context.sections', { workspaceId })
}

/** Sets the threshold of one model, a share of its limit (1 is off); null takes the default again. */
export async function setModelThreshold(app: App, modelRef: string, threshold: number | null): Promise<void> {
  // A model's name may hold a dot, so the whole table is set and not a path into it.
  const { [modelRef]: _before, ...others } = app.store.getState().settings.modelThresholds
  await changeSetting(app, 'modelThresholds', threshold === null ? others : { ...others, [modelRef]: threshold })
}

/** Begins a fresh window; nothing is cut. */
export async function beginFreshWindow(app: App, workspaceId: string): Promise<void> {
  await ask(app, 'history.clear', { workspaceId, soft: true })
}

/** What the next compaction would carry over; files are looked at, so it is asked only where a person looks. */
export function readCarryOver(app: App, workspaceId: string): Promise<Answer<CarryOverView>> {
  return app.bridge.request('context.carryOver', { workspaceId })
}

/** Moves one switch of it, or the one for all (`itemId` null). Answers null where that failed, which is told. */
export function setCarryOver(
  app: App,
  workspaceId: string,
  moved: { readonly itemId: string | null; readonly isOn: boolean }
): Promise<CarryOverView | null> {
  return ask(app, 'context.setCarryOver', { workspaceId, ...moved })
}
