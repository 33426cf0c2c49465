// Owns what of the history a request did not show its model, and why (V-3). Pure.
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf, type RowKind, usesOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row } from '@common/rows/row-schema'
import type { SourcedMessage } from './convert-rows'
import type { ReplayRows } from './replay-rows'
import type { RequestEnvelope } from './request-log-lines'
import { isOmitted, storedContextOf } from './stored-context'

export interface LeftOut {
  readonly what: string
  readonly why: string
  /** Of the first row; null where it is not about a row. */
  readonly rowId: string | null
}

export interface LeftOutFacts {
  readonly envelope: RequestEnvelope
  /** Every row of the window up to the last that was sent, those that edits cut too. */
  readonly windowRows: readonly Row[]
  readonly cutIds: ReadonlySet<string>
  readonly replay: ReplayRows
  readonly messages: readonly SourcedMessage[]
  /** How many windows there were before this one. */
  readonly earlierWindows: number
}

/** One entry for each reason. */
export function leftOutOf(facts: LeftOutFacts): LeftOut[] {
  return [...earlier(facts), ...unsentRows(facts), ...omittedContext(facts), ...droppedThoughts(facts)]
}

function earlier({ earlierWindows }: LeftOutFacts): LeftOut[] {
  if (earlierWindows === 0) return []
  const what = counted(earlierWindows, 'earlier window')
  return [{ what, why: 'Only the newest window is sent; session_history finds what they hold.', rowId: null }]
}

function unsentRows({ envelope, windowRows, cutIds, replay }: LeftOutFacts): LeftOut[] {
  const given = new Set(replay.rows.map(({ id }) => id))
  const groups = new Map<Reason, Row[]>()
  for (const row of windowRows) {
    const reason = given.has(row.id) ? kindReason(row, envelope) : notGivenReason(row, envelope, cutIds)
    if (reason !== null) groups.set(reason, [...(groups.get(reason) ?? []), row])
  }
  return [...groups].map(([{ names, why }, rows]) => ({
    what: counted(rows.length, ...names),
    why,
    rowId: rows[0]?.id ?? null
  }))
}

interface Reason {
  /** Of one such row and of several. */
  readonly names: readonly [string, string]
  readonly why: string
}

/** Why a row that the builder had is in no message; null where it was sent. */
function kindReason(row: Row, { kind }: RequestEnvelope): Reason | null {
  const { provider } = usesOf(row)
  if (provider === 'yes' || (provider === 'own-request' && kind === 'compaction')) return null
  return KIND_REASONS[rowKindOf(row)] ?? OTHER_KIND
}

const ROWS = ['row', 'rows'] as const
const KIND_REASONS: Partial<Record<RowKind, Reason>> = {
  'plain-reset': { names: ['reset boundary', 'reset boundaries'], why: 'A mark in the history, not a message.' },
  'context-window-rollover': {
    names: ['rollover boundary', 'rollover boundaries'],
    why: 'A mark in the history, not a message.'
  },
  'rejected-input': {
    names: ['rejected input', 'rejected inputs'],
    why: 'It was never sent; it is kept so that nothing is lost.'
  },
  'compaction-request': {
    names: ['question for a summary', 'questions for a summary'],
    why: 'It goes into its own request alone.'
  }
}
const OTHER_KIND: Reason = { names: ROWS, why: 'Rows of this kind are not sent.' }
const CUT_BEFORE: Reason = { names: ROWS, why: 'An edit of the history cut it before this request.' }
const TRIMMED: Reason = { names: ROWS, why: 'The oldest rows found no room in the request for the summary.' }
const NOT_GIVEN: Reason = { names: ROWS, why: 'This request was built without it.' }

function notGivenReason(row: Row, envelope: RequestEnvelope, cutIds: ReadonlySet<string>): Reason | null {
  if (row.id === envelope.liveRow?.id) return null
  if (cutIds.has(row.id)) return CUT_BEFORE
  return kindReason(row, envelope) ?? (envelope.kind === 'compaction' ? TRIMMED : NOT_GIVEN)
}

function omittedContext({ envelope, windowRows }: LeftOutFacts): LeftOut[] {
  const boundary = windowRows.findLast(isBoundary)
  const context = boundary === undefined ? null : storedContextOf(boundary)
  if (boundary === undefined || context === null || !isOmitted(context, envelope.requestSequence)) return []
  const why = 'The request was too long with it: plan, edited files and skills that the compaction carried over.'
  return [{ what: 'What the compaction carried over', why, rowId: boundary.id }]
}

function droppedThoughts({ replay, messages }: LeftOutFacts): LeftOut[] {
  const isThought = ({ type }: { readonly type: string }): boolean => type === 'reasoning'
  const stored = replay.rows.flatMap(({ parts }) => parts.filter((part) => isKnownPart(part) && isThought(part)))
  const sent = messages.flatMap<{ readonly type: string }>(({ message }) => message.content).filter(isThought)
  const dropped = stored.length - sent.length
  if (dropped <= 0) return []
  const why = 'A provider takes back only thinking that it signed itself and that something followed.'
  return [{ what: counted(dropped, 'piece of thinking', 'pieces of thinking'), why, rowId: null }]
}

function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}
