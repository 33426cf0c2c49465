// Owns which rows of a history are in memory (F-19): a page more at either end, the pages around a row that is
// far away, the newest page again. What main tells meanwhile is never mixed into the wrong place: an answer that
// ends with the newest row is taken only where no row was told of since it was asked for.
import type { Answer } from '@common/contract/bridge'
import type { HistorySpan } from '@common/contract/search-views'
import type { App } from '../app-store'
import { appendPage, dropNewPages, dropOldPages, olderCursorOf, prependPage } from '../loaded-history'
import { isBusy, type SessionState } from '../session-state'
import { changeSession } from './change-session'
import { ask, report } from './report'
import { reopenSession } from './session-actions'

/** Rows kept at the end of the transcript, some ten screens (F-19). */
const KEEP_ROWS = 400
/** Rows in memory while somebody reads on and on, some fifty screens: what is farthest away leaves (F-19). */
const MAX_ROWS = 2_000
/** Rows appended to one page before it is taken afresh, so that a long session does not grow for ever. */
const MAX_ROWS_OF_NEWEST_PAGE = 1_500
/** Times that a page is asked for while rows keep coming: each takes a few milliseconds, rows come once in seconds. */
const MAX_ATTEMPTS = 5

/** Loads the page before the oldest row. Does nothing at the start of the history or while one is loading. */
export async function loadOlder(app: App, workspaceId: string): Promise<void> {
  const session = sessionOf(app, workspaceId)
  const before = session ? olderCursorOf(session.history) : null
  if (before === null || session?.paging === 'loading') return
  changeSession(app, workspaceId, (current) => ({ ...current, paging: 'loading' }))
  const page = await ask(app, 'workspace.page', { workspaceId, before })
  changeSession(app, workspaceId, (current) => {
    if (page === null) return { ...current, paging: 'failed' }
    // A snapshot or a jump meanwhile brought other pages: this one no longer fits.
    if (olderCursorOf(current.history) !== before) return { ...current, paging: 'idle' }
    return { ...current, paging: 'idle', history: dropNewPages(prependPage(current.history, page), MAX_ROWS) }
  })
}

/** Loads the page after the newest loaded row. Does nothing at the end of the history or while one is loading. */
export async function loadNewer(app: App, workspaceId: string): Promise<void> {
  const session = sessionOf(app, workspaceId)
  const after = session?.history.after ?? null
  if (after === null || session?.pagingNewer === 'loading') return
  changeSession(app, workspaceId, (current) => ({ ...current, pagingNewer: 'loading' }))
  const answer = await upToDate(app, workspaceId, () =>
    app.bridge.request('workspace.pageAfter', { workspaceId, after })
  )
  if (!answer.ok) report(app, 'error', answer.error.message, workspaceId)
  changeSession(app, workspaceId, (current) => {
    if (!answer.ok) return { ...current, pagingNewer: 'failed' }
    if (current.history.after !== after) return { ...current, pagingNewer: 'idle' }
    return {
      ...current,
      pagingNewer: 'idle',
      history: dropOldPages(appendPage(current.history, answer.value), MAX_ROWS)
    }
  })
}

/** Goes back to the newest rows, from wherever in the past. */
export async function showLatest(app: App, workspaceId: string): Promise<void> {
  if ((sessionOf(app, workspaceId)?.history.after ?? null) !== null) await reopenSession(app, workspaceId)
}

/** Called when the reader is back at the end: far rows leave memory, they can be loaded again. */
export function trimHistory(app: App, workspaceId: string): void {
  const session = sessionOf(app, workspaceId)
  if (session === undefined || session.paging === 'loading' || session.history.after !== null) return
  const history = dropOldPages(session.history, KEEP_ROWS)
  if (history !== session.history) changeSession(app, workspaceId, (current) => ({ ...current, history }))
  if (history.rows.length > MAX_ROWS_OF_NEWEST_PAGE && !isBusy(session.status) && session.link.kind === 'following')
    void reopenSession(app, workspaceId)
}

/** A page, asked for until it holds every row that was told of, where it claims to end with the newest. */
export async function upToDate(
  app: App,
  workspaceId: string,
  request: () => Promise<Answer<HistorySpan>>
): Promise<Answer<HistorySpan>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const changes = sessionOf(app, workspaceId)?.historyChanges
    const answer = await request()
    if (!answer.ok || answer.value.after !== null) return answer
    if (sessionOf(app, workspaceId)?.historyChanges === changes) return answer
  }
  return { ok: false, error: { kind: 'io', message: 'Rows keep coming faster than they can be read. Try again.' } }
}

function sessionOf(app: App, workspaceId: string): SessionState | undefined {
  return app.store.getState().sessions[workspaceId]
}
