// Owns the shapes that the transcript draws: one item for each thing of its own height on screen.
// An item is a value; equal inputs give the same object again (see display-rows), so that a view that
// compares by identity draws only what changed.
import type { SessionStatus } from '../contract/views'
import type { RowKind } from './row-kinds'
import type { FilePart, Row, TokenUsage, ToolPart } from './row-schema'

/** What an assistant row says and does, in order. Keys are unique in the row. */
export type Segment =
  | {
      readonly kind: 'text'
      readonly key: string
      readonly text: string
      /** Link definitions that stand elsewhere in the same part. */
      readonly definitions: string
      readonly streaming: boolean
    }
  | { readonly kind: 'reasoning'; readonly key: string; readonly text: string; readonly streaming: boolean }
  | { readonly kind: 'tools'; readonly key: string; readonly parts: readonly ToolPart[] }
  | { readonly kind: 'file'; readonly key: string; readonly part: FilePart }
  | { readonly kind: 'unknown'; readonly key: string; readonly partType: string }

interface ItemBase {
  /** Unique in the transcript and stable while the item grows. */
  readonly key: string
}

export interface PersonItem extends ItemBase {
  readonly kind: 'person'
  readonly row: Row
}

/** The person's message again in a fresh window (P-7): drawn as a quiet link to the original. */
export interface CopyItem extends ItemBase {
  readonly kind: 'copy'
  readonly row: Row
  readonly originalRowId: string
}

export interface AssistantItem extends ItemBase {
  readonly kind: 'assistant'
  readonly rowId: string
  readonly segments: readonly Segment[]
  /** Begins an answer: neither a later piece of its row nor a row that continues another (H-13). */
  readonly first: boolean
  /** The row, where this piece ends it and so carries its notes and actions; else null. */
  readonly ends: Row | null
  readonly live: boolean
  /** The text that a compaction carried over. */
  readonly summary: boolean
  /** Time and cost of the whole turn, on the piece that ends it. */
  readonly turn: TurnSummary | null
}

/** Sums over the assistant rows of a turn; null where no row says. */
export interface TurnSummary {
  readonly durationMs: number | null
  readonly costUsd: number | null
  readonly steps: number
  readonly usage: TokenUsage | null
  readonly model: string | null
}

export interface LineItem extends ItemBase {
  readonly kind: 'line'
  readonly row: Row
  readonly rowKind: RowKind
}

export interface DividerItem extends ItemBase {
  readonly kind: 'divider'
  readonly divider: 'reset' | 'rollover' | 'compaction'
  readonly row: Row
}

/** Stands where the divider of a compaction will stand, at the same height, while its summary is written. */
export interface SummarisingItem extends ItemBase {
  readonly kind: 'summarising'
}

export interface NotSentItem extends ItemBase {
  readonly kind: 'not-sent'
  readonly row: Row
}

export interface DamagedItem extends ItemBase {
  readonly kind: 'damaged'
  readonly lines: number
}

/** The turn runs: stands where its summary will stand, at the same height. */
export interface WorkingItem extends ItemBase {
  readonly kind: 'working'
  readonly startedAtMs: number | null
  /** An approval or a question waits for the person. */
  readonly waiting: boolean
}

export interface RetryingItem extends ItemBase {
  readonly kind: 'retrying'
  readonly retry: NonNullable<SessionStatus['retry']>
}

/** The last turn ended without an answer of its own; `problem` is null when nothing is known (a restart). */
export interface ProblemItem extends ItemBase {
  readonly kind: 'problem'
  readonly problem: SessionStatus['lastProblem']
}

/** The last answer stopped for its window and nothing runs (a restart, say): the next message goes on from there. */
export interface PausedItem extends ItemBase {
  readonly kind: 'paused'
}

export type DisplayItem =
  | PersonItem
  | CopyItem
  | AssistantItem
  | LineItem
  | DividerItem
  | SummarisingItem
  | NotSentItem
  | DamagedItem
  | WorkingItem
  | RetryingItem
  | ProblemItem
  | PausedItem

/** Id of the row that an item was made of, or null. */
export function rowIdOfItem(item: DisplayItem): string | null {
  if (item.kind === 'assistant') return item.rowId
  return 'row' in item ? item.row.id : null
}

/** True where a turn begins on screen: Alt+↑↓ stops here. */
export function startsTurnOnScreen(item: DisplayItem | undefined): boolean {
  return item?.kind === 'person' || item?.kind === 'not-sent'
}
