// Owns the handle that actions take: the store, the drafts and the bridge to main.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Bridge } from '@common/contract/bridge'
import { initialAppState, type AppState, type Layout } from './app-state'
import { createDraftStore, type DraftStore } from './draft-state'

/** What every action works on. */
export interface App {
  readonly bridge: Bridge
  readonly store: StoreApi<AppState>
  readonly drafts: DraftStore
}

/** An app that has not asked main anything yet. */
export function createApp(bridge: Bridge, layout: Layout): App {
  return { bridge, store: createStore<AppState>(() => initialAppState(layout)), drafts: createDraftStore() }
}

/** Replaces the state by a pure change of it. */
export function change(app: App, to: (state: AppState) => AppState): void {
  app.store.setState(to, true)
}
