// Owns what a person's search through past windows is and how an answer changes it (S-9). Pure.
import type { MemoryHit, PersonHit, SearchPage } from '@common/contract/search-views'

export type SearchScope = 'workspace' | 'everywhere'

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
  readonly hits: readonly PersonHit[]
  readonly memories: readonly MemoryHit[]
  /** `paused`: there is more to look at, when the person wants it. `failed`: it could not go on. */
  readonly phase: 'idle' | 'searching' | 'paused' | 'failed' | 'done'
  /** Where to go on; null at the newest row, and when everything was searched. */
  readonly cursor: string | null
  readonly skippedRows: number
  /** What could not be searched, a sentence each. */
  readonly problems: readonly string[]
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
  memories: [],
  phase: 'idle',
  cursor: null,
  skippedRows: 0,
  problems: [],
  focusCount: 0
}

/** A new search for what stands in the field. */
export function begunSearch(state: SearchState, searchedIn: string): SearchState {
  const { scope, query, focusCount } = state
  const searched = query.trim()
  const phase = searched === '' ? 'idle' : 'searching'
  return { ...NO_SEARCH, scope, query, focusCount, run: state.run + 1, searched, searchedIn, phase }
}

/** The search after an answer: done where it says that there is nothing more. */
export function withAnswer(state: SearchState, answer: Omit<SearchPage, 'exhausted'>): SearchState {
  return {
    ...state,
    cursor: answer.cursor,
    hits: [...state.hits, ...answer.items],
    memories: [...state.memories, ...answer.memories],
    skippedRows: state.skippedRows + answer.skipped_oversized_rows,
    problems: [...state.problems, ...answer.problems],
    phase: answer.cursor === null ? 'done' : state.phase
  }
}

/** The search after it could not go on: the person is told. */
export function withSearchProblem(state: SearchState, problem: string): SearchState {
  return { ...state, problems: [...state.problems, problem], phase: 'failed' }
}
