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
  const groups = new Map<string, Row[]>()
  for (const row of windowRows) {
    const why = given.has(row.id) ? kindReason(row, envelope) : notGivenReason(row, envelope, cutIds)
    if (why !== null) groups.set(why, [...(groups.get(why) ?? []), row])
  }
  return [...groups].map(([why, rows]) => ({ what: counted(rows.length, 'row'), why, rowId: rows[0]?.id ?? null }))
}

/** Why a row that the builder had is in no message; null where it was sent. */
function kindReason(row: Row, { kind }: RequestEnvelope): string | null {
  const { provider } = usesOf(row)
  if (provider === 'yes' || (provider === 'own-request' && kind === 'compaction')) return null
  return KIND_REASONS[rowKindOf(row)] ?? 'Rows of this kind are not sent.'
}

const KIND_REASONS: Partial<Record<RowKind, string>> = {
  'plain-reset': 'The boundary of a reset is a mark, not a message.',
  'context-window-rollover': 'The boundary of a rollover is a mark, not a message.',
  'rejected-input': 'An input that was never sent, kept so that nothing is lost.',
  'compaction-request': 'The question for a summary goes into its own request alone.'
}

function notGivenReason(row: Row, envelope: RequestEnvelope, cutIds: ReadonlySet<string>): string | null {
  if (row.id === envelope.liveRow?.id) return null
  if (cutIds.has(row.id)) return 'An edit of the history cut it before this request.'
  const byKind = kindReason(row, envelope)
  if (byKind !== null) return byKind
  return envelope.kind === 'compaction'
    ? 'The oldest rows found no room in the request for the summary.'
    : 'This request was built without it.'
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
