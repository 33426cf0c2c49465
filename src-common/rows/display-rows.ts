// Owns how rows become what the transcript draws: dividers from boundary rows, machine lines, capsules,
// answers in pieces, one summary a turn. Pure. Hidden rows never show, unknown ones show as a line.
// Invariant: built onto a previous result it equals a build from scratch, and every item whose rows did
// not change is the same object as before.
import { addUsage } from '../budget/usage'
import { usesOf, rowKindOf } from './row-kinds'
import type { RowKind } from './row-kinds'
import { isKnownPart } from './row-schema'
import type { Row } from './row-schema'
import type { SessionStatus } from '../contract/views'
import { piecesOf, segmentsOf } from './display-segments'
import type { AssistantItem, DisplayItem, DividerItem, Segment, TurnSummary } from './display-items'

export interface DisplayInput {
  /** Loaded rows, oldest first. */
  readonly rows: readonly Row[]
  /** True while a turn runs: its summary waits. */
  readonly busy: boolean
  /** True when older rows exist that are not loaded: the first turn may be cut, so it gets no summary. */
  readonly hasOlder: boolean
  /** Lines passed over in what is loaded. */
  readonly skippedLines: number
  /** Shows the rows that only a debugging person wants to see. */
  readonly debug: boolean
}

export interface DisplayRows {
  readonly items: readonly DisplayItem[]
  /** Index of each divider that opens a window, ascending. */
  readonly dividerIndexes: readonly number[]
  /** The rows that each item was made of, for the next build. */
  readonly sources: ReadonlyMap<string, ItemSource>
}

interface ItemSource {
  readonly item: DisplayItem
  readonly rows: readonly Row[]
}

export interface TailInput {
  readonly live: Row | null
  readonly status: SessionStatus
  /** The newest stored row, or null. */
  readonly lastRow: Row | null
  /** True while an approval or a question waits for the person. */
  readonly waiting: boolean
}

/** Items of the stored rows. Pass the previous result to keep the items that did not change. */
export function buildDisplayRows(input: DisplayInput, previous?: DisplayRows): DisplayRows {
  const sources = new Map<string, ItemSource>()
  const items: DisplayItem[] = []
  const dividerIndexes: number[] = []
  const add = (key: string, rows: readonly Row[], make: () => DisplayItem) => {
    const known = previous?.sources.get(key)
    const source = known !== undefined && sameElements(known.rows, rows) ? known : { item: make(), rows }
    sources.set(key, source)
    items.push(source.item)
  }
  /** Puts the summary of an ended turn onto the piece that ends its last answer. */
  const closeTurn = (turn: Turn) => {
    const key = turn.endKey
    const known = key === null ? undefined : sources.get(key)
    if (!turn.complete || key === null || known === undefined) return
    const index = items.lastIndexOf(known.item)
    const before = previous?.sources.get(key)
    const rows = [...known.rows, ...turn.answers]
    const kept = before !== undefined && sameElements(before.rows, rows) ? before : null
    const item = kept?.item ?? withSummary(known.item, turn.answers)
    sources.set(key, { item, rows })
    items[index] = item
  }

  if (input.skippedLines > 0) {
    const known = previous?.items[0]
    const same = known?.kind === 'damaged' && known.lines === input.skippedLines
    items.push(same ? known : { kind: 'damaged', key: 'damaged', lines: input.skippedLines })
  }
  let turn: Turn = { complete: !input.hasOlder, answers: [], endKey: null }
  const seen = new Set<string>()
  for (const row of input.rows) {
    // A damaged history may hold an id twice: the keys still have to differ.
    const id = seen.has(row.id) ? `${row.id}~${seen.size}` : row.id
    seen.add(id)
    const kind = rowKindOf(row)
    const uses = usesOf(row)
    if (uses.startsTurn) {
      closeTurn(turn)
      turn = { complete: true, answers: [], endKey: null }
    }
    if (uses.boundary !== 'none') dividerIndexes.push(items.length)
    const one = [row]
    for (const [key, make] of makersOf(row, id, kind, input.debug)) {
      add(key, one, make)
      if (kind === 'assistant') turn.endKey = key
    }
    if (kind === 'assistant') turn.answers.push(row)
  }
  if (!input.busy) closeTurn(turn)
  return { items, dividerIndexes, sources }
}

/** Items after the stored rows: the live row, and what the session does or how it ended. */
export function buildTailItems(input: TailInput, previous: readonly DisplayItem[] = []): readonly DisplayItem[] {
  const { live, status, lastRow } = input
  const items: DisplayItem[] = []
  // Between two events a row may be both stored and live.
  if (live !== null && live.id !== lastRow?.id) {
    const before = previous.filter((item) => item.kind === 'assistant')
    const summary = isSummarising(live, lastRow)
    const key = dividerKeyOf(live.id)
    if (summary) items.push(previous.find((item) => item.key === key) ?? { kind: 'summarising', key })
    for (const [index, item] of assistantItems(live, live.id, true, summary).entries())
      if (item.segments.length > 0) items.push(keepPiece(before[index], item))
  }
  if (status.retry !== null) items.push({ kind: 'retrying', key: 'retrying', retry: status.retry })
  else if (status.phase !== 'idle')
    items.push({ kind: 'working', key: 'working', startedAtMs: status.turnStartedAtMs, waiting: input.waiting })
  else if (needsProblem(status, lastRow)) items.push({ kind: 'problem', key: 'problem', problem: status.lastProblem })
  else if (lastRow?.metadata.pausedFor !== undefined && live === null) items.push({ kind: 'paused', key: 'paused' })
  const last = items.at(-1)
  const before = previous.at(-1)
  if (last !== undefined && before !== undefined && saysTheSame(before, last)) items[items.length - 1] = before
  return items.length === previous.length && items.every((item, index) => item === previous[index]) ? previous : items
}

/** True when the row tells by itself that its turn did not end well. */
export function tellsProblem(row: Row): boolean {
  return row.metadata.interrupted === true || row.metadata.error !== undefined
}

/** True while the live row is the summary that the newest stored row asked for. */
export function isSummarising(live: Row | null, lastRow: Row | null): boolean {
  return live !== null && lastRow !== null && rowKindOf(lastRow) === 'compaction-request' && !tellsProblem(lastRow)
}

/** Reasons of a failed compaction that no row tells: its turn is not there to be sent again. */
const NEVER_ASKED: ReadonlySet<string | null> = new Set(['nothing_to_compact', 'request_too_large'])

/** True when the last turn may be sent again: it went wrong, was stopped, or its message has no answer. */
export function canRetryTurn(status: SessionStatus, lastRow: Row | null): boolean {
  const { lastProblem } = status
  if (status.phase !== 'idle' || (lastProblem?.outcome === 'failed' && NEVER_ASKED.has(lastProblem.reason)))
    return false
  // A wish for a summary is typed again; going on from the rows that are there is something else.
  if (lastRow !== null && rowKindOf(lastRow) === 'compaction-request') return false
  if (lastRow === null) return status.lastProblem !== null
  return status.lastProblem !== null || tellsProblem(lastRow) || rowKindOf(lastRow) === 'person'
}

interface Turn {
  /** Its beginning is loaded. */
  readonly complete: boolean
  readonly answers: Row[]
  /** Key of the piece that ends its last answer so far. */
  endKey: string | null
}

type Maker = readonly [key: string, make: () => DisplayItem]

function makersOf(row: Row, id: string, kind: RowKind, debug: boolean): Maker[] {
  switch (usesOf(row).screen) {
    case 'hidden':
      return []
    case 'debug':
      return debug ? [[id, () => ({ kind: 'line', key: id, row, rowKind: kind })]] : []
    case 'line':
      // A kind that this version does not know may say itself that it is nothing to look at.
      if (kind === 'unknown' && row.metadata.uiVisible === false && !debug) return []
      return [[id, () => ({ kind: 'line', key: id, row, rowKind: kind })]]
    case 'not-sent':
      return [[id, () => ({ kind: 'not-sent', key: id, row })]]
    case 'divider':
      return [[id, () => ({ kind: 'divider', key: id, row, divider: dividerOf(kind) })]]
    case 'message':
      return messageMakers(row, id, kind)
  }
}

function messageMakers(row: Row, id: string, kind: RowKind): Maker[] {
  const { copyOf } = row.metadata
  if (kind === 'person')
    return [
      [
        id,
        copyOf === undefined
          ? () => ({ kind: 'person', key: id, row })
          : () => ({ kind: 'copy', key: id, row, originalRowId: copyOf })
      ]
    ]
  const summary = kind === 'compaction-summary'
  const pieces = assistantPieces(row, id, false, summary).map((item): Maker => [item.key, () => item])
  const dividerKey = dividerKeyOf(id)
  return summary
    ? [[dividerKey, () => ({ kind: 'divider', key: dividerKey, row, divider: 'compaction' })], ...pieces]
    : pieces
}

function dividerKeyOf(id: string): string {
  return `${id}:divider`
}

function dividerOf(kind: RowKind): DividerItem['divider'] {
  return kind === 'context-window-rollover' ? 'rollover' : 'reset'
}

// A row is cut into pieces once: rows are values, so the result belongs to the row.
const piecesByRow = new WeakMap<Row, readonly AssistantItem[]>()

function assistantPieces(row: Row, id: string, live: boolean, summary: boolean): readonly AssistantItem[] {
  const known = piecesByRow.get(row)
  if (known !== undefined && known[0]?.key === id) return known
  const made = assistantItems(row, id, live, summary)
  piecesByRow.set(row, made)
  return made
}

function assistantItems(row: Row, id: string, live: boolean, summary: boolean): AssistantItem[] {
  const segments = segmentsOf(row, live)
  // A summary is one box, which opens and closes as a whole.
  const pieces = summary ? [segments] : piecesOf(segments)
  return pieces.map((segments, index) => ({
    kind: 'assistant',
    key: index === 0 ? id : `${id}+${index}`,
    rowId: row.id,
    segments,
    first: index === 0 && row.metadata.continues === undefined,
    ends: index === pieces.length - 1 ? row : null,
    live,
    summary,
    turn: null
  }))
}

function withSummary(item: DisplayItem, answers: readonly Row[]): DisplayItem {
  return item.kind === 'assistant' ? { ...item, turn: summaryOf(answers) } : item
}

function summaryOf(answers: readonly Row[]): TurnSummary {
  const steps = answers.flatMap((row) => row.parts.filter((part) => isKnownPart(part) && part.type === 'step'))
  const usages = answers.flatMap(({ metadata }) => metadata.usage ?? [])
  return {
    durationMs: sumOf(answers.map((row) => row.metadata.durationMs)),
    costUsd: sumOf(answers.map((row) => row.metadata.costUsd)),
    steps: steps.length,
    usage: usages.length === 0 ? null : usages.reduce(addUsage),
    model: answers.at(-1)?.metadata.model ?? null
  }
}

function sumOf(values: ReadonlyArray<number | undefined>): number | null {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** Whether the end of the transcript has to say that the last turn brought no answer. */
function needsProblem(status: SessionStatus, lastRow: Row | null): boolean {
  // A blocked input has its own capsule, and the composer says what to do.
  if (status.lastProblem?.outcome === 'context_budget_blocked') return false
  if (lastRow === null) return status.lastProblem !== null
  if (tellsProblem(lastRow)) return false
  return status.lastProblem !== null || rowKindOf(lastRow) === 'person'
}

/** The next piece with what did not change taken from the previous one, down to single segments. */
function keepPiece(previous: AssistantItem | undefined, next: AssistantItem): AssistantItem {
  if (previous?.key !== next.key) return next
  const segments = next.segments.map((segment, index) => {
    const before = previous.segments[index]
    return before !== undefined && sameSegment(before, segment) ? before : segment
  })
  const same =
    previous.ends === next.ends &&
    previous.live === next.live &&
    segments.length === previous.segments.length &&
    segments.every((segment, index) => segment === previous.segments[index])
  return same ? previous : { ...next, segments }
}

function sameSegment(a: Segment, b: Segment): boolean {
  if (a.key !== b.key) return false
  if (a.kind === 'text' && b.kind === 'text')
    return a.text === b.text && a.streaming === b.streaming && a.definitions === b.definitions
  if (a.kind === 'reasoning' && b.kind === 'reasoning') return a.text === b.text && a.streaming === b.streaming
  if (a.kind === 'tools' && b.kind === 'tools') return sameElements(a.parts, b.parts)
  if (a.kind === 'file' && b.kind === 'file') return a.part === b.part
  return a.kind === 'unknown' && b.kind === 'unknown' && a.partType === b.partType
}

function saysTheSame(a: DisplayItem, b: DisplayItem): boolean {
  if (a.kind === 'working' && b.kind === 'working') return a.startedAtMs === b.startedAtMs && a.waiting === b.waiting
  if (a.kind === 'paused') return b.kind === 'paused'
  if (a.kind === 'retrying' && b.kind === 'retrying') return a.retry === b.retry
  return a.kind === 'problem' && b.kind === 'problem' && a.problem === b.problem
}

function sameElements<Value>(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}
