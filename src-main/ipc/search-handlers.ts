// Owns the requests of a person who looks for something said long ago (S-9): the search itself, and the page on which
// a hit is shown.
import { MAX_IPC_STRING_BYTES, PAGE_ROWS } from '@common/constants'
import type { RequestFailure } from '@common/contract/bridge'
import type { HistorySpan, PersonHit, SearchPage } from '@common/contract/search-views'
import type { WorkspaceView } from '@common/contract/views'
import { err, ok, type Result } from '@common/result'
import { nodeFileSystem } from '../files/file-system'
import { installKeyOf } from '../files/install-key'
import { historyReaderOf } from '../history/history-reader'
import { type HistorySpan as StoredSpan, readPageAfter, readPageAround, readPageAtWindow } from '../history/page-span'
import { HistoryBrowser, workspaceDirOf } from '../history-search/history-browser'
import { searchEverywhere, type SearchedWorkspace, type SearchProblem } from '../history-search/search-people'
import type { AppServices } from './app-services'
import { failure, type Handlers } from './dispatch'
import { searchMemories } from './search-memories'
import { sessionOf } from './workspace-handlers'

type SearchRequests = 'history.search' | 'workspace.pageAround' | 'workspace.pageAtWindow' | 'workspace.pageAfter'

/** Hits of an answer when nobody says how many. */
const DEFAULT_HITS = 30
/** An answer without hits comes after so long at the latest, so that the window can show that the search goes on. */
const ANSWER_MS = 150
const BOUNDS = { maxRows: PAGE_ROWS, maxBytes: MAX_IPC_STRING_BYTES }

export function searchHandlers(services: AppServices): Pick<Handlers, SearchRequests> {
  const browsers = new Browsers(services)
  return {
    async 'history.search'({ workspaceId, query, cursor, limit }) {
      const start = cursor === null ? null : startOf(cursor)
      if (cursor !== null && start === null) return err(failure('invalid-input', OTHER_CURSOR))
      const chosen = await chooseWorkspaces(services, workspaceId, start?.workspaceId ?? null)
      if (!chosen.ok) return chosen
      const memories = cursor === null ? await searchMemories(services, chosen.value, query) : []
      const isOne = workspaceId !== null
      const page = await searchPage(browsers.over(chosen.value), {
        query,
        cursor: start?.cursor ?? null,
        limit: limit ?? DEFAULT_HITS,
        isOne,
        onProblem: (message) => services.log.warn('workspace-not-searched', { message }),
        nextOf: (done) => (isOne ? null : followerOf(chosen.value, done))
      })
      return page.ok ? ok({ ...page.value, memories }) : page
    },
    async 'workspace.pageAround'({ workspaceId, rowId, sequence }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const row = sequence === null ? { id: rowId } : { id: rowId, historySequence: sequence }
      const page = await readPageAround(session.value.store, row, BOUNDS)
      if (!page.ok) return err(failure('io', page.error.message))
      return page.value === null
        ? err(failure('not-found', 'That message is no longer in this conversation. Search again.'))
        : ok(spanOf(page.value))
    },
    async 'workspace.pageAtWindow'({ workspaceId, windowId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const page = await readPageAtWindow(session.value.store, windowId, BOUNDS)
      if (!page.ok) return err(failure('io', page.error.message))
      return page.value === null
        ? err(failure('not-found', 'That window is no longer in this conversation.'))
        : ok(spanOf(page.value))
    },
    async 'workspace.pageAfter'({ workspaceId, after }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const page = await session.value.store.read((files) => readPageAfter(files, after, BOUNDS))
      if (!page.ok) return err(failure('io', page.error.message))
      return page.value.ok ? ok(spanOf(page.value.value)) : err(failure('io', page.value.error.message))
    }
  }
}

const OTHER_CURSOR = 'This search cannot go on from there; begin it anew.'

/** The workspaces to search, newest first, from the one in which an earlier answer stopped. */
async function chooseWorkspaces(
  { sessions }: AppServices,
  workspaceId: string | null,
  from: string | null
): Promise<Result<readonly WorkspaceView[], RequestFailure>> {
  if (workspaceId !== null) {
    const view = await sessions.view(workspaceId)
    return view === null ? err(failure('not-found', 'That workspace is gone.')) : ok([view])
  }
  // By when they were made: an order that does not change while somebody searches.
  const all = (await sessions.list()).toSorted(
    (a, b) => b.createdAtMs - a.createdAtMs || (a.workspaceId < b.workspaceId ? -1 : 1)
  )
  const start = from === null ? 0 : all.findIndex((view) => view.workspaceId === from)
  return start === -1 ? err(failure('invalid-input', OTHER_CURSOR)) : ok(all.slice(start))
}

interface PageWanted {
  readonly query: string
  readonly cursor: string | null
  readonly limit: number
  /** False when all workspaces are searched. */
  readonly isOne: boolean
  onProblem(message: string): void
  /** The workspace after this one; null when there is none. */
  nextOf(workspaceId: string): string | null
}

type FoundPage = Omit<SearchPage, 'memories'>

/** Steps until there are hits enough, the time is over, or everything was searched. */
async function searchPage(
  workspaces: AsyncIterable<SearchedWorkspace>,
  { query, cursor, limit, isOne, nextOf, onProblem }: PageWanted
): Promise<Result<FoundPage, RequestFailure>> {
  const endMs = performance.now() + ANSWER_MS
  const items: PersonHit[] = []
  const problems: string[] = []
  let skipped = 0
  const answer = (next: string | null): Result<FoundPage, RequestFailure> =>
    ok({ items, cursor: next, exhausted: next === null, problems, skipped_oversized_rows: skipped })
  const search = { query, cursor, maxHits: () => limit - items.length }
  for await (const step of searchEverywhere(workspaces, search)) {
    if (!step.ok && (isOne || step.error.kind === 'cursor')) return err(problemOf(step.error))
    if (!step.ok) {
      // One conversation that cannot be read must not hide what the others hold.
      const problem = problemOf(step.error).message
      problems.push(problem)
      onProblem(problem)
      continue
    }
    const { windows, skippedOversizedRows, workspaceId, cursor: inside } = step.value
    items.push(...windows.flatMap(({ hits }) => hits))
    skipped += skippedOversizedRows
    const follower = inside === null ? nextOf(workspaceId) : null
    if (inside === null && follower === null) return answer(null)
    if (items.length >= limit || performance.now() >= endMs)
      return answer(inside === null ? `${follower}|` : `${workspaceId}|${inside}`)
  }
  return answer(null)
}

/** A cursor of this request: the workspace, and where in it; empty for its newest row. */
function startOf(cursor: string): { workspaceId: string; cursor: string | null } | null {
  const [, workspaceId, inside] = /^([a-z0-9-]{1,100})\|([\w-]*)$/.exec(cursor) ?? []
  if (workspaceId === undefined || inside === undefined) return null
  return { workspaceId, cursor: inside === '' ? null : inside }
}

function followerOf(workspaces: readonly WorkspaceView[], workspaceId: string): string | null {
  const at = workspaces.findIndex((view) => view.workspaceId === workspaceId)
  return workspaces[at + 1]?.workspaceId ?? null
}

/** Browsers of workspaces that were searched lately: they remember what was read and not used. */
class Browsers {
  readonly #services: AppServices
  readonly #key: () => Uint8Array
  readonly #known = new Map<string, HistoryBrowser>()

  constructor(services: AppServices) {
    this.#services = services
    this.#key = installKeyOf(services.paths.installKey, services.log)
  }

  async *over(views: readonly WorkspaceView[]): AsyncGenerator<SearchedWorkspace> {
    for (const { workspaceId, title } of views) yield { workspaceId, title, browser: this.#browserOf(workspaceId) }
  }

  #browserOf(workspaceId: string): HistoryBrowser {
    const known = this.#known.get(workspaceId)
    if (known !== undefined) return known
    const { paths, clock, log } = this.#services
    const workspaceDir = workspaceDirOf(paths, workspaceId)
    // Read beside the session, if there is one: a search must not wait for a turn, nor open what nobody looks at.
    const reader = historyReaderOf({ workspaceDir, clock, log })
    const browser = new HistoryBrowser({ workspaceId, workspaceDir, reader, fs: nodeFileSystem, key: this.#key })
    const oldest = this.#known.keys().next()
    if (this.#known.size >= MAX_BROWSERS && oldest.done !== true) this.#known.delete(oldest.value)
    this.#known.set(workspaceId, browser)
    return browser
  }
}

const MAX_BROWSERS = 8

function problemOf(problem: SearchProblem): RequestFailure {
  if (problem.kind === 'history')
    return failure('io', `“${problem.title || 'New workspace'}” was not searched: ${problem.error.message}`)
  const isStale = problem.failure.error === 'stale_cursor'
  return failure('invalid-input', isStale ? 'The conversation was changed meanwhile; search again.' : OTHER_CURSOR)
}

function spanOf({ lines, before, after, damage }: StoredSpan): HistorySpan {
  return { lines, before, after, skippedLines: damage.total }
}
