// Owns what a person's search through past windows is and how an answer changes it (S-9). Pure.
import type { HistoryHit } from '@common/tools/session-history-contract'

export type SearchScope = 'workspace' | 'everywhere'

/** A hit and where it is. */
export interface FoundHit {
  readonly workspaceId: string
  readonly hit: HistoryHit
}

/** A workspace that is not searched to its beginning yet. */
export interface SearchTarget {
  readonly workspaceId: string
  /** Null for its newest row. */
  readonly cursor: string | null
}

export interface SearchState {
  readonly scope: SearchScope
  /** As it stands in the field. */
  readonly query: string
  /** Rises with each search: an answer to an earlier one is dropped. */
  readonly run: number
  /** What the hits are hits of; empty before the first search. */
  readonly searched: string
  /** Where they are from: a workspace's id, or `everywhere`. */
  readonly searchedIn: string | null
  readonly hits: readonly FoundHit[]
  /** `paused`: there is more to look at, when the person wants it. */
  readonly phase: 'idle' | 'searching' | 'paused' | 'done'
  /** What is left to look at, in order. */
  readonly targets: readonly SearchTarget[]
  readonly skippedRows: number
  readonly problem: string | null
  /** Rises when the field shall take the focus. */
  readonly focusCount: number
}

export const NO_SEARCH: SearchState = {
  scope: 'workspace',
  query: '',
  run: 0,
  searched: '',
  searchedIn: null,
  hits: [],
  phase: 'idle',
  targets: [],
  skippedRows: 0,
  problem: null,
  focusCount: 0
}

export interface SearchAnswer {
  readonly items: readonly HistoryHit[]
  readonly cursor: string | null
  readonly skipped_oversized_rows: number
}

/** A new search over the workspaces, the first one first. */
export function begunSearch(state: SearchState, searchedIn: string, workspaceIds: readonly string[]): SearchState {
  const query = state.query.trim()
  const begun = { ...state, run: state.run + 1, searched: query, searchedIn, hits: [], skippedRows: 0, problem: null }
  if (query === '') return { ...begun, phase: 'idle', targets: [] }
  const targets = workspaceIds.map((workspaceId) => ({ workspaceId, cursor: null }))
  return { ...begun, phase: targets.length === 0 ? 'done' : 'searching', targets }
}

/** The search after an answer about its first target. */
export function withAnswer(state: SearchState, answer: SearchAnswer): SearchState {
  const [target, ...rest] = state.targets
  if (target === undefined) return state
  const { workspaceId } = target
  const targets = answer.cursor === null ? rest : [{ workspaceId, cursor: answer.cursor }, ...rest]
  return {
    ...state,
    targets,
    hits: [...state.hits, ...answer.items.map((hit) => ({ workspaceId, hit }))],
    skippedRows: state.skippedRows + answer.skipped_oversized_rows,
    phase: targets.length === 0 ? 'done' : state.phase
  }
}

/** The search after its first target could not be searched: it is left out, and the person is told. */
export function withSearchProblem(state: SearchState, problem: string): SearchState {
  const targets = state.targets.slice(1)
  return { ...state, targets, problem, phase: targets.length === 0 ? 'done' : state.phase }
}
