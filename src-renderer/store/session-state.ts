// Owns the renderer's picture of one opened workspace: data only, a projection of what main knows.
// Committed rows and the live row stand apart, so that a token touches one row.
import type { EventBatch } from '@common/contract/events'
import type { QueueEntry, SessionSnapshot, SessionStatus, UsageView } from '@common/contract/views'
import type { Row } from '@common/rows/row-schema'
import type { ApprovalRequest, QuestionRequest } from '@common/tools/approval'
import type { TodoItem } from '@common/tools/tool-contracts'
import { EMPTY_HISTORY, historyOfPage, type LoadedHistory } from './loaded-history'

export type SessionBatch = Extract<EventBatch, { channel: 'session' }>

/** How this picture is tied to main: waiting for a snapshot (batches are kept meanwhile), following, or cut off. */
export type SessionLink =
  | { readonly kind: 'opening'; readonly buffered: readonly SessionBatch[] }
  | { readonly kind: 'following' }
  | { readonly kind: 'failed'; readonly message: string }

export interface SessionState {
  readonly workspaceId: string
  readonly link: SessionLink
  /** False until the first snapshot: nothing of it may be shown as empty. */
  readonly loaded: boolean
  /** Sequence of the last event taken in. */
  readonly sequence: number
  readonly history: LoadedHistory
  /** Sequences of the rows that begin windows, of all windows, ascending; 0 for what came before the first boundary. */
  readonly windowStarts: readonly number[]
  readonly live: Row | null
  readonly toolOutputs: Readonly<Record<string, string>>
  readonly status: SessionStatus
  readonly queue: readonly QueueEntry[]
  readonly approvals: readonly ApprovalRequest[]
  readonly questions: readonly QuestionRequest[]
  readonly todo: readonly TodoItem[]
  readonly usage: UsageView | null
  /** Rises whenever main told of rows: a page that was asked for before may lack them. */
  readonly historyChanges: number
  /** Loading the page before the oldest row. */
  readonly paging: PagingState
  /** Loading the page after the newest loaded row. */
  readonly pagingNewer: PagingState
}

export type PagingState = 'idle' | 'loading' | 'failed'

export const IDLE_STATUS: SessionStatus = { phase: 'idle', turnStartedAtMs: null, retry: null, lastProblem: null }

/** A workspace that was just asked for. */
export function openingSession(workspaceId: string): SessionState {
  return {
    workspaceId,
    link: { kind: 'opening', buffered: [] },
    loaded: false,
    sequence: 0,
    history: EMPTY_HISTORY,
    windowStarts: [],
    live: null,
    toolOutputs: {},
    status: IDLE_STATUS,
    queue: [],
    approvals: [],
    questions: [],
    todo: [],
    usage: null,
    historyChanges: 0,
    paging: 'idle',
    pagingNewer: 'idle'
  }
}

/** The picture that a snapshot gives, following from there. */
export function sessionOfSnapshot(snapshot: SessionSnapshot): SessionState {
  return {
    workspaceId: snapshot.workspace.workspaceId,
    link: { kind: 'following' },
    loaded: true,
    sequence: snapshot.sequence,
    history: historyOfPage(snapshot.page),
    windowStarts: snapshot.windowStarts,
    live: snapshot.live,
    toolOutputs: snapshot.toolOutputs,
    status: snapshot.status,
    queue: snapshot.queue,
    approvals: snapshot.approvals,
    questions: snapshot.questions,
    todo: snapshot.todo,
    usage: snapshot.usage,
    historyChanges: 0,
    paging: 'idle',
    pagingNewer: 'idle'
  }
}

/** True while a turn runs. */
export function isBusy(status: SessionStatus): boolean {
  return status.phase !== 'idle'
}
