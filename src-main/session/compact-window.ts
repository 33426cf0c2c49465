// Owns the compaction of a window (C-1): the wish stored, the summary streamed, checked and appended as the boundary of a
// new window. Until that append the old window is in force; of a summary that failed or was stopped only the row stays
// that asked for it, and says why there is none.
import type { ProviderFailure } from '@common/models/provider-failure'
import { isKnownPart, type NewRow, type PostCompactionContext, type Row } from '@common/rows/row-schema'
import { asSummary, boundaryRow } from '../compaction/boundary-row'
import { type CompactionWish, compactionRequestRow, idleHoursOf } from '../compaction/compaction-request'
import { countRows } from '../context/count-rows'
import { prepareCompaction } from '../context/prepare-compaction'
import { buildPrompt, type RequestRejection } from '../context/prepare-request'
import { copiesOf, unansweredOf } from '../context/window-eligible'
import type { HistoryError } from '../history/history-error'
import { amendRow } from './amend-row'
import { startRow } from './answer-row'
import { finishedRow } from './close-row'
import { onNextModel } from './fall-back'
import type { LiveRow } from './live-row'
import { runStep, type StepEnd, type StepRequest } from './run-step'
import type { TurnContext } from './turn-context'
import { countingRequests } from './turn-progress'

export type Compacted =
  | { readonly kind: 'compacted'; readonly systemText: string }
  | { readonly kind: 'interrupted' }
  /** The old window stays; `reason` as a failed turn names it. */
  | {
      readonly kind: 'refused'
      readonly reason: string
      readonly message: string
      /** The model's failure, where it said nothing at all: another one may be asked (T-5). */
      readonly unanswered: ProviderFailure | null
    }
  | { readonly kind: 'unrecorded'; readonly error: HistoryError }

export interface CompactedTurn {
  readonly compacted: Compacted
  /** On the model that answered last: a fallback stays for the turn (T-5). */
  readonly turn: TurnContext
}

interface Compacting {
  readonly windowId: string
  readonly rows: readonly Row[]
  requests: number
}

/** Summarises the window in force; its requests are counted in `progress`. */
export async function compactWindow(
  begun: TurnContext,
  progress: Compacting,
  wish: CompactionWish
): Promise<CompactedTurn> {
  let turn = begun
  const { windowId, rows } = progress
  const context = await turn.carryOver(rows)
  const wishRow = compactionRequestRow(turn.newId(), turn.clock.now(), wish)
  let prepared = await prepareCompaction(rows, wishRow, turn.settings)
  if (prepared.request.kind === 'rejected') return { turn, compacted: tooLarge(prepared.request) }
  if (turn.abortSignal.aborted) return { turn, compacted: { kind: 'interrupted' } }
  const asked = await turn.history.appendMany(prepared.rows.slice(-1))
  if (!asked.ok) return { turn, compacted: { kind: 'unrecorded', error: asked.error } }
  for (const row of asked.value) turn.publish({ type: 'row-appended', row })
  for (;;) {
    if (prepared.request.kind === 'rejected') return noteWhyNone(turn, wishRow, tooLarge(prepared.request))
    const sent = { windowId, rows: [...prepared.rows.slice(0, -1), ...asked.value], request: prepared.request }
    const counting = countingRequests(turn, progress)
    const compacted = await summarise(counting, sent, { rows, context, wish, trimmedRows: prepared.trimmed })
    const failure = compacted.kind === 'refused' ? compacted.unanswered : null
    const next = failure && (await onNextModel(turn, failure))
    if (next === null) return noteWhyNone(turn, wishRow, compacted)
    turn = next
    // Each attempt against its own limit (P-3).
    prepared = await prepareCompaction(rows, asked.value[0] ?? wishRow, turn.settings)
  }
}

interface Replaced {
  readonly rows: readonly Row[]
  readonly context: PostCompactionContext | null
  readonly wish: CompactionWish
  readonly trimmedRows: number
}

async function summarise(
  turn: TurnContext,
  sent: StepRequest,
  { rows, context, wish, trimmedRows }: Replaced
): Promise<Compacted> {
  turn.onStreaming()
  const live = startRow(turn, null)
  const step = await runStep(forSummary(turn), live, sent)
  const written = summaryOf(live, step)
  if (written.kind !== 'summary') return drop(turn, live, written)
  const { summary } = written
  const [before, after] = [await countRows(rows, turn.settings), await countRows([asSummary(summary)], turn.settings)]
  if (before === null || after === null)
    return drop(turn, live, refused('provider', 'The summary could not be counted, so it was not taken.'))
  if (after >= before)
    return drop(
      turn,
      live,
      refused('provider', 'The summary was no shorter than the conversation, so it was not taken.')
    )
  const affordable = context !== null && (await leavesRoom(turn, summary, context)) ? context : null
  const figures = { reason: wish.reason, beforeTokens: before, afterTokens: after, trimmedRows, ...idleHoursOf(wish) }
  const carried = { context: affordable, compaction: figures }
  const boundary = boundaryRow(finishedRow(summary, turn.priceOf, {}), carried)
  if (boundary === null)
    return drop(turn, live, refused('provider', 'The summary is longer than a row of the history may be.'))
  return publishBoundary(turn, live, [boundary, ...unansweredCopies(turn, rows)])
}

/** A message that nothing has answered stands in the new window too: a summary of it is no answer (C-1). */
function unansweredCopies(turn: TurnContext, windowRows: readonly Row[]): NewRow[] {
  if (unansweredOf(windowRows) === null) return []
  const copies = copiesOf({ windowRows, input: null, company: [], newId: () => turn.newId() })
  return copies.input === null ? [] : [...copies.company, copies.input]
}

/** A summary runs no tool, and no crash may bring half of it back as an answer: it is in no partial file. */
function forSummary(turn: TurnContext): TurnContext {
  const done = Promise.resolve({ ok: true, value: undefined } as const)
  return {
    ...turn,
    partial: { update() {}, flush: () => done, stop: () => Promise.resolve() },
    callTool: ({ input }) =>
      Promise.resolve({
        settled: { state: 'output-denied', input, errorText: 'A summary is written without tools.' },
        touched: []
      })
  }
}

type Written = { readonly kind: 'summary'; readonly summary: Row } | Exclude<Compacted, { kind: 'compacted' }>

/** The live row as a summary may hold it, or why there is none. */
function summaryOf(live: LiveRow, step: StepEnd): Written {
  if (step.kind === 'unrecorded') return { kind: 'unrecorded', error: step.error }
  if (step.kind === 'interrupted') return { kind: 'interrupted' }
  if (step.failure !== null) {
    const { kind, message } = step.failure
    return { ...refused(kind, message), unanswered: step.kind === 'failed' && !step.streamed ? step.failure : null }
  }
  if (step.kind === 'settled' && step.cut) return refused('output_limit', 'The summary ended in the middle.')
  const parts = live.row.parts.filter((part) => !isKnownPart(part) || part.type !== 'dynamic-tool')
  const hasText = parts.some((part) => isKnownPart(part) && part.type === 'text' && part.text.trim() !== '')
  return hasText
    ? { kind: 'summary', summary: { ...live.row, parts } }
    : refused('provider', 'The model answered without a summary.')
}

/** A window that would be compacted again at once is none: then what is carried stays behind, the summary does not. */
async function leavesRoom(turn: TurnContext, summary: Row, context: PostCompactionContext): Promise<boolean> {
  const fullAt = turn.points?.rolloverPoint ?? null
  if (fullAt === null) return true
  const row = asSummary(summary)
  const prompt = await buildPrompt(
    [{ ...row, metadata: { ...row.metadata, postCompactionContext: context } }],
    turn.settings
  )
  const count = await turn.settings.countTokens(prompt, turn.settings.tools)
  return count.kind === 'failed' || count.tokens < fullAt
}

async function publishBoundary(turn: TurnContext, live: LiveRow, rows: readonly NewRow[]): Promise<Compacted> {
  if (turn.abortSignal.aborted) return drop(turn, live, { kind: 'interrupted' })
  const fresh = await turn.freshSystem()
  turn.resetContext()
  const appended = await turn.history.appendMany(rows)
  if (!appended.ok) return drop(turn, live, { kind: 'unrecorded', error: appended.error })
  turn.latch.clear()
  for (const row of appended.value) turn.publish({ type: 'row-appended', row })
  await fresh.adopt(turn.history.currentWindowId)
  return { kind: 'compacted', systemText: fresh.text }
}

/** The row that asked says why it got none, also after a restart. What the disk refuses here, the turn's end still tells. */
async function noteWhyNone(turn: TurnContext, { id }: NewRow, compacted: Compacted): Promise<CompactedTurn> {
  if (compacted.kind === 'interrupted') await amendRow(turn, { id }, { interrupted: true })
  if (compacted.kind === 'refused')
    await amendRow(turn, { id }, { error: { kind: compacted.reason, message: compacted.message } })
  return { turn, compacted }
}

function drop<Answer extends Compacted>(turn: TurnContext, live: LiveRow, answer: Answer): Answer {
  turn.publish({ type: 'live-dropped', rowId: live.row.id })
  return answer
}

function tooLarge({ message }: RequestRejection): Refusal {
  const nothing = 'There is nothing that a summary could leave out.'
  const out = 'Take a model with a larger window, or begin a fresh window with /clear --soft.'
  return refused('request_too_large', `${message} ${nothing} ${out}`)
}

type Refusal = Extract<Compacted, { kind: 'refused' }>

function refused(reason: string, message: string): Refusal {
  return { kind: 'refused', reason, message: `${message} The window stays as it is.`, unanswered: null }
}
