// Owns which stored rows a request was built from: those of its window, those that an edit cut since, and the answer
// that was under way, up to the steps that had been sent. One window's rows are in memory at a time.
import { setImmediate } from 'node:timers/promises'
import { sequenceOfWindowId } from '@common/ids'
import { isKnownPart, type Row, type RowPart } from '@common/rows/row-schema'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import { readPartialFile } from '../history/partial-row'
import { parseLine } from '../history/parse-line'
import { readCutRows } from '../history/read-cut-rows'
import { readLines } from '../history/read-lines'
import { windowPath } from '../history/window-files'
import type { RequestEnvelope, SequenceSpan } from './request-log-lines'

export interface ReplayRows {
  /** As they were given to the builder, the answer under way at the end. */
  readonly rows: readonly Row[]
  /** How many of them an edit cut since. */
  readonly cutRows: number
  /** Sequences that are neither in the window nor among the cut rows; the builder may never have sent them. */
  readonly missing: readonly SequenceSpan[]
  /** The answer under way is not stored. */
  readonly isAnswerMissing: boolean
}

interface StoredRow {
  readonly row: Row
  readonly from: 'window' | 'cut-rows' | 'partial'
}

/** The rows of one window, in order: those in its file, those that were cut out of it, the one that streams now. */
export type ReplayWindow = readonly StoredRow[]

type Answer = NonNullable<RequestEnvelope['liveRow']>
type Wanted = Pick<RequestEnvelope, 'rows' | 'lastHistorySequence' | 'liveRow'>

/** Which rows of a window its requests need; what they do not need is not kept in memory. */
export interface ReplayNeeds {
  readonly spans: readonly SequenceSpan[]
  /** Ids of answers that were under way. */
  readonly answers: ReadonlySet<string>
}

/** The needs with those of one more request. */
export function withNeedsOf({ rows, liveRow }: Wanted, needs: ReplayNeeds | undefined): ReplayNeeds {
  const spans: SequenceSpan[] = []
  for (const [first, last] of [...(needs?.spans ?? []), ...rows].toSorted((a, b) => a[0] - b[0])) {
    const open = spans.at(-1)
    if (open !== undefined && first <= open[1] + 1) open[1] = Math.max(open[1], last)
    else spans.push([first, last])
  }
  return {
    spans,
    answers: liveRow === null ? (needs?.answers ?? new Set()) : new Set([...(needs?.answers ?? []), liveRow.id])
  }
}

/** Reads the rows of one window that its requests need. Throws the system's error. */
export async function readReplayWindow(
  files: HistoryFiles,
  windowId: string,
  needs: ReplayNeeds
): Promise<ReplayWindow> {
  // Before the windows: an answer that is gone from here is in one by then.
  const partial = readPartialFile(files)
  const isNeeded = neededBy(needs)
  const stored: StoredRow[] = []
  await readWindow(files, windowId, (row) => isNeeded(row) && stored.push({ row, from: 'window' }))
  const known = new Set(stored.map(({ row }) => row.id))
  const streaming = partial.kind === 'row' && !known.has(partial.row.id) ? partial.row : null
  if (streaming !== null) known.add(streaming.id)
  const found: StoredRow[] = [...stored]
  if ([...needs.answers].some((id) => !known.has(id)) || missingFrom(needs.spans, stored).length > 0) {
    const isNeededToo = neededBy(needs)
    await readCutRows(files, windowId, (row) => isNeededToo(row) && found.push({ row, from: 'cut-rows' }))
  }
  const ordered = found.length === stored.length ? stored : inOrder(found)
  return streaming === null ? ordered : [...ordered, { row: streaming, from: 'partial' }]
}

/** Answers rows in order: a row without a sequence may belong to any request, later rows of an answer to that answer. */
function neededBy({ spans, answers }: ReplayNeeds): (row: Row) => boolean {
  const ids = new Set(answers)
  return (row) => {
    const { continues } = row.metadata
    const isOfAnswer = ids.has(row.id) || (continues !== undefined && ids.has(continues))
    if (isOfAnswer) ids.add(row.id)
    const sequence = sequenceOf(row)
    return isOfAnswer || sequence === null || isWithin(spans, sequence)
  }
}

/** The rows of one of the requests that the window was read for. */
export function replayRowsOf(request: Wanted, window: ReplayWindow): ReplayRows {
  const answer = request.liveRow === null ? [] : answerUpTo(window, request.liveRow)
  const taken = takenBy(request, window)
  return {
    rows: [...taken.map(({ row }) => row), ...answer.map(({ row }) => row)],
    cutRows: [...taken, ...answer].filter(({ from }) => from === 'cut-rows').length,
    missing: missingFrom(request.rows, window),
    isAnswerMissing: request.liveRow !== null && answer.length === 0
  }
}

/** Rows of the request's spans; one without a sequence (an import's) belongs to what stands around it. */
function takenBy({ rows, lastHistorySequence }: Wanted, window: ReplayWindow): StoredRow[] {
  const taken: StoredRow[] = []
  for (const stored of window) {
    const sequence = sequenceOf(stored.row)
    if (sequence !== null && sequence > (lastHistorySequence ?? 0)) break
    if (sequence === null ? stored.from !== 'partial' : isWithin(rows, sequence)) taken.push(stored)
  }
  return taken
}

/** The answer's rows as they were when so many of its steps were done: a long one is stored as several rows. */
function answerUpTo(window: ReplayWindow, { id, steps, unsettled = [] }: Answer): StoredRow[] {
  const taken: StoredRow[] = []
  let left = steps
  for (const { row, from } of window) {
    const isNext = taken.length === 0 ? row.id === id : row.metadata.continues === taken.at(-1)?.row.id
    if (!isNext) continue
    const parts = partsUpTo(row.parts, left)
    taken.push({ row: { ...row, parts: parts.map((part) => asUnsettled(part, unsettled)) }, from })
    left -= parts.filter(isStep).length
    if (left <= 0) break
  }
  return taken
}

/** What a crash left of the last step has no step part: then all there is was sent. */
function partsUpTo(parts: readonly RowPart[], steps: number): RowPart[] {
  let left = steps
  const end = parts.findIndex((part) => isStep(part) && --left === 0)
  return end === -1 ? [...parts] : parts.slice(0, end + 1)
}

/** A call as it was before its result came. */
function asUnsettled(part: RowPart, unsettled: readonly string[]): RowPart {
  if (!isKnownPart(part) || part.type !== 'dynamic-tool' || !unsettled.includes(part.toolCallId)) return part
  const { output: _output, errorText: _errorText, ...call } = part
  return { ...call, state: 'input-available' }
}

function isStep({ type }: RowPart): boolean {
  return type === 'step'
}

/** What of these spans no row has. */
function missingFrom(spans: readonly SequenceSpan[], window: ReplayWindow): SequenceSpan[] {
  const found = window.flatMap(({ row }) => sequenceOf(row) ?? []).toSorted((a, b) => a - b)
  return spans.flatMap(([first, last]) => {
    const missing: SequenceSpan[] = []
    let next = first
    for (const sequence of found) {
      if (sequence < next || sequence > last) continue
      if (sequence > next) missing.push([next, sequence - 1])
      next = sequence + 1
    }
    if (next <= last) missing.push([next, last])
    return missing
  })
}

function isWithin(spans: readonly SequenceSpan[], sequence: number): boolean {
  return spans.some(([first, last]) => first <= sequence && sequence <= last)
}

function sequenceOf({ metadata }: Row): number | null {
  return metadata.historySequence ?? null
}

/** By sequence; a row without one stays behind the row that it stood behind. */
function inOrder(rows: readonly StoredRow[]): StoredRow[] {
  let last = 0
  const placed = rows.map((stored) => {
    last = sequenceOf(stored.row) ?? last
    return { stored, at: last }
  })
  return placed.toSorted((a, b) => a.at - b.at).map(({ stored }) => stored)
}

/** Others get their turn after so many steps (4 MiB of parsing, about 25 ms). */
const STEPS_A_TURN = 16

async function readWindow(files: HistoryFiles, windowId: string, visit: (row: Row) => void): Promise<void> {
  const { fs } = files
  const window = sequenceOfWindowId(windowId)
  const descriptor = window === null ? null : openIfThere(fs, windowPath(files, window))
  if (descriptor === null) return
  try {
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: fs.fstat(descriptor).size },
      {
        line({ buffer, start, end }) {
          const parsed = parseLine(buffer.toString('utf8', start, end))
          if (parsed.ok) visit(parsed.row)
        },
        oversized() {}
      }
    )
    let steps = 0
    for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
  } finally {
    fs.close(descriptor)
  }
}
