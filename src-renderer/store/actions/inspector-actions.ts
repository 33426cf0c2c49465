// Owns what the inspector asks of main. Its answers are for one dialog, so the state keeps none of them.
import type { Answer } from '@common/contract/bridge'
import type {
  InspectedContent,
  InspectedPage,
  InspectedPart,
  InspectedText,
  LedgerView
} from '@common/contract/inspector-views'
import type { WindowView } from '@common/contract/window-views'
import type { App } from '../app-store'
import { openDialog } from './view-actions'

/** Requests asked for at a time: three screens of the list. */
const PAGE_REQUESTS = 100

/** Opens the inspector at the requests of one window, or of all (null). */
export function inspectWindow(app: App, workspaceId: string, windowId: string | null): void {
  openDialog(app, { kind: 'inspector', workspaceId, windowId })
}

export interface RequestPlace {
  readonly workspaceId: string
  readonly requestSequence: number
}

export function readRequests(
  app: App,
  workspaceId: string,
  windowId: string | null,
  before: number | null
): Promise<Answer<InspectedPage>> {
  return app.bridge.request('inspector.requests', { workspaceId, windowId, before, limit: PAGE_REQUESTS })
}

export function readRequest(app: App, place: RequestPlace, fromMessage: number): Promise<Answer<InspectedContent>> {
  return app.bridge.request('inspector.request', { ...place, fromMessage })
}

export function readPiece(
  app: App,
  place: RequestPlace,
  piece: InspectedPart,
  offset: number
): Promise<Answer<InspectedText>> {
  return app.bridge.request('inspector.text', { ...place, piece, offset })
}

export function findInRequest(
  app: App,
  place: RequestPlace,
  query: string
): Promise<Answer<{ readonly pieces: InspectedPart[] }>> {
  return app.bridge.request('inspector.find', { ...place, query })
}

export function readLedger(app: App, workspaceId: string): Promise<Answer<LedgerView>> {
  return app.bridge.request('inspector.ledger', { workspaceId })
}

export function readWindows(app: App, workspaceId: string): Promise<Answer<{ readonly windows: WindowView[] }>> {
  return app.bridge.request('windows.list', { workspaceId })
}
