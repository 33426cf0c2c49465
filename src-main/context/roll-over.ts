// Owns the preparation of a rollover (R-1, R-2, P-2, P-5, G-3): the recovery path is proved, the whole request of
// the fresh window is prepared, and only then is there anything to append. Nothing is sealed here.
import { contextTokensOf } from '@common/budget/usage'
import { owningRequestOf, quoteOf } from '@common/rows/owning-request'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import type { RolloverReason } from '@common/rows/rollover-row'
import { isKnownPart, type NewRow, type Row } from '@common/rows/row-schema'
import { requestRefused } from './budget-blocks'
import { continueRow } from './continue-row'
import type { BeforeSend, ContextBlock, FreshWindow, SendDecision } from './context-strategy'
import { leadInText, sealedResultOf } from './lead-in'
import type { PreparedRequest } from './prepare-request'
import { rolloverRows } from './rollover-rows'
import { tokensInWords } from './tokens-in-words'
import { copiesOf, unansweredOf } from './window-eligible'

export interface RolloverCause {
  readonly reason: RolloverReason
  /** The latched id, where a settled step asked for it; one boundary per id. */
  readonly rolloverId?: string
  readonly flushOpportunity: boolean
  /** Tokens that the old window's next request would have held. */
  readonly contextTokens: number
}

/** A fresh window that is so full before anything is said leaves no room for work. */
const CROWDED_SHARE = 0.75

type RolloverDecision = Extract<SendDecision, { kind: 'rollover' }>

export type RolloverResult =
  | RolloverDecision
  | { readonly kind: 'blocked'; readonly block: ContextBlock }
  /** The old window goes on, and why; `atCeiling` is what may be done once that is full, too. */
  | { readonly kind: 'stays'; readonly why: string; readonly atCeiling: RolloverDecision | ContextBlock }

/** What a rollover at this moment would append and send. */
export async function rollOver(moment: BeforeSend, cause: RolloverCause): Promise<RolloverResult> {
  const recovery = await moment.recovery()
  if (recovery.kind === 'denied') return { kind: 'blocked', block: historyAccess(recovery.message) }
  if (recovery.kind === 'unreadable') {
    const why = `The window should roll over, but its history cannot be read back now (${recovery.message}), so it goes on as it is.`
    return { kind: 'stays', why, atCeiling: historyAccess(recovery.message) }
  }
  const fresh = await moment.freshWindow()
  const carried = carriedBy(moment)
  const rows = freshRows({ ...moment, ...carried }, cause, { ...fresh, input: carried.input })
  const request = await fresh.prepare(rows)
  if (request.kind === 'rejected') {
    const why = `A fresh window would not hold this message: ${request.message}`
    const refusal = { isEligible: request.reason === 'uncountable', isAutomatic: true }
    return { kind: 'stays', why, atCeiling: requestRefused(request, refusal) }
  }
  const told = smallWindow(moment)
  const decision: RolloverDecision = { kind: 'rollover', rows, request, told }
  const point = moment.points?.rolloverPoint ?? null
  if (point === null || cause.reason === 'context-exceeded') return decision
  const tokens = await tokensOf(moment, request, point)
  // Window after window would hold one answer of one step: no end, and each time the price of all that is always sent.
  const isCrowded = Math.max(tokens, firstRequestTokens(moment)) >= point * CROWDED_SHARE
  if (told !== null && isCrowded && isContinued(moment, carried.input))
    return { kind: 'stays', why: told, atCeiling: decision }
  if (tokens < point) return decision
  const why =
    `System text, tools and this message alone are about ${tokensInWords(tokens)} tokens, more than the ` +
    `${tokensInWords(point)} at which a window of ${moment.model} rolls over, so this window goes on until it is full. Take a model with a larger window, or raise the threshold.`
  return { kind: 'stays', why, atCeiling: decision }
}

/** What begins the fresh window: the input, else the message that nothing has answered yet, else a Continue. */
function carriedBy(moment: BeforeSend): { input: NewRow; company: readonly NewRow[] } {
  const { input, company } = moment
  if (input !== null) return { input, company }
  const again = unansweredOf(moment.windowRows) === null ? null : copiesOf(moment)
  if (again?.input == null) return { input: continueRow(moment.newId(), moment.nowMs), company: [] }
  return { input: again.input, company: again.company }
}

/** The app goes on by itself in a window that a rollover began. */
function isContinued({ windowRows }: BeforeSend, input: NewRow): boolean {
  const [first] = windowRows
  return rowKindOf(input) === 'continue' && first !== undefined && rowKindOf(first) === 'context-window-rollover'
}

function freshRows(
  moment: BeforeSend,
  cause: RolloverCause,
  { notesCarried, input }: Pick<FreshWindow, 'notesCarried'> & { input: NewRow }
): NewRow[] {
  const { windowRows, windowId, nowMs, limits } = moment
  const rolloverId = cause.rolloverId ?? moment.newId()
  const asked = usesOf(input).startsTurn ? quoteOf(input) : null
  const interrupted = owningRequestOf(windowRows)
  const leadIn = leadInText({
    reason: cause.reason,
    previousWindowId: windowId,
    interrupted,
    input: asked,
    notesCarried,
    sealedResult: sealedResultOf(windowRows)
  })
  const [boundary, firstRow] = rolloverRows({
    boundaryId: moment.newId(),
    leadInId: moment.newId(),
    nowMs,
    rolloverId,
    reason: cause.reason,
    previousWindowId: windowId,
    flushOpportunity: cause.flushOpportunity,
    contextTokens: cause.contextTokens,
    maxTokens: limits.contextLimit ?? 0,
    notesCarried,
    leadIn,
    request: asked ?? interrupted
  })
  const carried: NewRow = { ...input, metadata: { ...input.metadata, rolloverId } }
  // In a fresh window the model has seen no file that could have changed (O-4).
  const snapshots = moment.company.filter((row) => rowKindOf(row) !== 'file-change-notice')
  return [boundary, firstRow, ...snapshots, carried]
}

async function tokensOf(moment: BeforeSend, request: PreparedRequest, point: number): Promise<number> {
  if (request.counted || request.tokensAtMost < point) return request.tokensAtMost
  return (await moment.count(request)) ?? request.tokensAtMost
}

/** One answer of one step filled the window: what is always sent leaves too little room. */
function smallWindow({ windowRows, model }: BeforeSend): string | null {
  const answers = windowRows.filter((row) => rowKindOf(row) === 'assistant' && row.parts.length > 0)
  const steps = answers.reduce((sum, row) => sum + stepsOf(row), 0)
  if (answers.filter((row) => row.metadata.continues === undefined).length !== 1 || steps > 1) return null
  return `One answer filled a whole context window of ${model}: its limit is too small for the system prompt and memories. Take a model with a larger window.`
}

function stepsOf(row: Row): number {
  return row.parts.filter(({ type }) => type === 'step').length
}

/** What the window's first request held, as the provider counted it; 0 where it did not. */
function firstRequestTokens({ windowRows }: BeforeSend): number {
  for (const part of windowRows.flatMap(({ parts }) => parts))
    if (isKnownPart(part) && part.type === 'step') return contextTokensOf(part.usage)
  return 0
}

function historyAccess(message: string): ContextBlock {
  return { reason: 'history_access', message }
}
