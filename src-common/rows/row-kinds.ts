// Owns the one row table: every kind of row and, per use, whether it counts.
// No other predicate of this sort may stand anywhere: a new kind does not compile until each use is answered.
import type { Row } from './row-schema'

export type RowKind =
  | 'person'
  | 'assistant'
  | 'compaction-summary'
  | 'plain-reset'
  | 'context-window-rollover'
  | 'context-window-lead-in'
  | 'context-budget-warning'
  | 'continue'
  | 'goal-continuation'
  | 'compaction-request'
  | 'prelude'
  | 'file-change-notice'
  | 'branch-summary'
  | 'preserved-tail-copy'
  | 'rejected-input'
  | 'unknown'

export interface RowUses {
  /** Is it sent to the provider? `own-request`: only in the compaction request itself. */
  readonly provider: 'yes' | 'no' | 'own-request'
  /** How the transcript draws it. */
  readonly screen: 'message' | 'divider' | 'line' | 'debug' | 'not-sent' | 'hidden'
  /** What `session_history` shows of it to an agent; search follows the same answer. */
  readonly agentHistory: 'yes' | 'kind-only' | 'if-visible' | 'no'
  /** Does it make its window eligible for a rollover (P-1)? The input being sent never counts. */
  readonly windowEligible: boolean
  /** Does it start a turn: title, resume, goal? */
  readonly startsTurn: boolean
  /** May a person edit from here? */
  readonly editAnchor: boolean
  /** Does it open a new window? */
  readonly boundary: 'inclusive' | 'exclusive' | 'none'
  /** Written by the app for the budget alone: a window of only such rows counts as fresh (P-1). */
  readonly budgetInternal: boolean
}

const message: RowUses = {
  provider: 'yes',
  screen: 'message',
  agentHistory: 'yes',
  windowEligible: true,
  startsTurn: false,
  editAnchor: false,
  boundary: 'none',
  budgetInternal: false
}
const machineLine: RowUses = { ...message, screen: 'line', windowEligible: false, budgetInternal: true }
const reset: RowUses = {
  provider: 'no',
  screen: 'divider',
  agentHistory: 'kind-only',
  windowEligible: false,
  startsTurn: false,
  editAnchor: false,
  boundary: 'exclusive',
  budgetInternal: true
}
const snapshot: RowUses = { ...machineLine, agentHistory: 'if-visible' }

/** The table of spec 00; columns are the uses, one entry a kind. */
export const ROW_KINDS: Readonly<Record<RowKind, RowUses>> = {
  person: { ...message, startsTurn: true, editAnchor: true },
  assistant: message,
  'compaction-summary': { ...message, boundary: 'inclusive' },
  'plain-reset': reset,
  'context-window-rollover': reset,
  'context-window-lead-in': { ...machineLine, screen: 'debug', agentHistory: 'no' },
  'context-budget-warning': machineLine,
  continue: machineLine,
  'goal-continuation': machineLine,
  'compaction-request': { ...machineLine, provider: 'own-request', agentHistory: 'no' },
  prelude: snapshot,
  'file-change-notice': snapshot,
  'branch-summary': snapshot,
  'preserved-tail-copy': { ...machineLine, screen: 'hidden', agentHistory: 'no' },
  'rejected-input': {
    provider: 'no',
    screen: 'not-sent',
    agentHistory: 'no',
    windowEligible: false,
    startsTurn: false,
    editAnchor: true,
    boundary: 'none',
    budgetInternal: true
  },
  unknown: snapshot
}

/** The kind of a row, from its own metadata alone. Total: a machine type not known here is `unknown`. */
export function rowKindOf(row: Row): RowKind {
  const { machine, contextBoundaryKind } = row.metadata
  if (machine !== undefined) return isMachineKind(machine.type) ? machine.type : 'unknown'
  if (contextBoundaryKind === 'compaction') return 'compaction-summary'
  if (contextBoundaryKind === 'reset') return 'plain-reset'
  return row.role === 'user' ? 'person' : 'assistant'
}

/** What counts for this row: its line of the table. */
export function usesOf(row: Row): RowUses {
  return ROW_KINDS[rowKindOf(row)]
}

const KINDS_WITHOUT_MACHINE: ReadonlySet<string> = new Set([
  'person',
  'assistant',
  'compaction-summary',
  'plain-reset',
  'unknown'
])

function isMachineKind(type: string): type is RowKind {
  return Object.hasOwn(ROW_KINDS, type) && !KINDS_WITHOUT_MACHINE.has(type)
}
