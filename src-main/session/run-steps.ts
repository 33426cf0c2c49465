// Owns the steps of a turn after its input is stored: each answered, its tools settled, the budget asked, until done.
import { MAX_ROW_BYTES, MAX_STEPS_PER_TURN } from '@common/constants'
import type { ProviderFailure } from '@common/models/provider-failure'
import type { StepPart } from '@common/rows/row-schema'
import { rowBytes } from '@common/rows/split-row'
import { WAYS_OUT } from '../context/budget-blocks'
import type { StepDecision } from '../context/context-strategy'
import { prepareRequest, type PreparedRequest, type RequestRejection } from '../context/prepare-request'
import { admitSend } from './admit-send'
import { commit, dropRow, finish, finishFailed, startRow } from './answer-row'
import { fallBack } from './fall-back'
import { prepareWithoutContext } from './leave-out-context'
import type { LiveRow } from './live-row'
import { measureStep } from './measure-step'
import { runStep } from './run-step'
import { sendMomentOf } from './send-moment'
import type { TurnContext, TurnEnd } from './turn-context'
import { blockedEnd, CONTINUING, cutShortEnd, endOf, unrecordedEnd } from './turn-end'
import { countingRequests, enterFreshWindow, type Progress, wasWarned } from './turn-progress'
import { usageViewOf } from './usage-view'

/** An answer's row is closed at a step boundary once it is this full, so that the next step finds room. */
const CLOSE_ROW_AT_BYTES = MAX_ROW_BYTES / 2

/** Runs the turn from its first request on. */
export async function runSteps(begun: TurnContext, progress: Progress, first: PreparedRequest): Promise<TurnEnd> {
  let turn = begun
  let request = first
  let live = startRow(turn, null)
  let settledSteps = 0
  for (let count = 0; count < MAX_STEPS_PER_TURN; count++) {
    const step = await runStep(countingRequests(turn, progress), live, { ...progress, request })
    switch (step.kind) {
      case 'unrecorded':
        return unrecordedEnd(progress, step.error)
      case 'interrupted':
        return finishStopped(turn, progress, live)
      case 'failed': {
        const isTooLong = settledSteps === 0 && step.failure.kind === 'context_exceeded' && !step.streamed
        const mayTry = isTooLong && !progress.retriedTooLong
        const again = mayTry ? await sendAgain(turn, progress, live, step.failure) : null
        if (again !== null) return again
        const next = step.streamed ? null : await fallBack(turn, progress, live, step.failure)
        if (next === null) return finishFailed(turn, progress, live, step.failure)
        turn = next.turn
        if (next.request.kind === 'rejected') {
          const advice = `Send it again once ${begun.info.name} answers, or take another model.`
          return finishTooLong(turn, progress, live, { rejection: next.request, advice })
        }
        request = next.request
        continue
      }
      case 'settled':
    }
    settledSteps++
    progress.ledger = await measureStep(turn, { ...progress, request }, live.row, step)
    tellUsage(turn, progress, step.step)
    if (step.failure !== null) return finishFailed(turn, progress, live, step.failure)
    if (step.cut) return finish(turn, progress, live, { how: cutShortEnd(turn.info.name) })
    if (!step.calledTools) return finish(turn, progress, live, { how: { outcome: 'completed' } })
    const stopped = await stopForBudget(turn, progress, live, step)
    if (stopped !== null) return stopped
    if (turn.queueWantsStepEnd())
      return finish(turn, progress, live, { how: { outcome: 'completed', reason: CONTINUING.queued } })
    if (rowBytes(live.row) > CLOSE_ROW_AT_BYTES) {
      const closed = await commit(turn, progress, live, {})
      if (closed !== null) return unrecordedEnd(progress, closed)
      live = startRow(turn, progress.rows.at(-1)?.id ?? null)
    }
    const next = await prepareRequest([...progress.rows, live.row], turn.settings)
    if (next.kind === 'rejected')
      return finishTooLong(turn, progress, live, { rejection: next, advice: adviceOf(turn) })
    request = next
  }
  const message = `The agent took ${MAX_STEPS_PER_TURN} steps without finishing, so the turn was stopped. Send a message to go on.`
  return finish(turn, progress, live, { how: { outcome: 'failed', reason: 'provider', message } })
}

/** Asks the strategy about a settled step (M-1); null to go on. What it asks for is owed until the next send. */
async function stopForBudget(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  { step, parts }: { step: StepPart; parts: LiveRow['row']['parts'] }
): Promise<TurnEnd | null> {
  const decision = await turn.strategy.onStepSettled({
    windowId: progress.windowId,
    model: step.model,
    limits: turn.info,
    points: turn.points,
    ledger: progress.ledger,
    parts,
    isWarned: wasWarned(turn, progress),
    stays: turn.latch.stays(progress.windowId, step.model)
  })
  if (decision.kind === 'continue') return null
  const { projected, hardCeiling } = decision
  turn.publish({ type: 'budget', decision: decision.kind, projected, hardCeiling })
  if (decision.kind === 'block') return finish(turn, progress, live, { how: blockedEnd(decision.block) })
  const { kind: pausedFor } = decision
  const how = { outcome: 'completed', reason: REASONS[pausedFor] } as const
  const end = await finish(turn, progress, live, { ending: { pausedFor: PAUSED[pausedFor] }, how })
  // Owed only once the results are in the history, and never behind a stop: that has cleared what was owed.
  if (end.outcome === 'completed' && !turn.abortSignal.aborted) latch(turn, progress, decision)
  return end
}

const REASONS = { warn: CONTINUING.warning, rollover: CONTINUING.rollover, compact: CONTINUING.compaction } as const
const PAUSED = { warn: 'warning', rollover: 'rollover', compact: 'compaction' } as const

function latch(
  turn: TurnContext,
  { windowId }: Progress,
  decision: Extract<StepDecision, { kind: 'warn' | 'rollover' | 'compact' }>
): void {
  // A compaction owes nothing: the next send finds the window as full as this step did.
  if (decision.kind === 'warn') turn.latch.owesWarning(windowId, turn.newId())
  else if (decision.kind === 'rollover') turn.latch.owesRollover(windowId, turn.newId(), decision.flushOpportunity)
}

/** The provider found the first request too long: once more in a fresh window (P-7), else without what a compaction
 * carried over (K-4), or null. */
async function sendAgain(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  failure: ProviderFailure
): Promise<TurnEnd | null> {
  const { moment, freshSystem } = sendMomentOf(turn, progress)
  const decision = await turn.strategy.onOverflow(moment, failure)
  if (turn.abortSignal.aborted) return finishStopped(turn, progress, live)
  const without = decision.kind === 'fail' ? await prepareWithoutContext(turn, progress) : null
  if (decision.kind === 'fail' && without === null) return null
  progress.retriedTooLong = true
  const dropped = await dropRow(turn, live)
  if (dropped !== null) return unrecordedEnd(progress, dropped)
  if (turn.abortSignal.aborted) return endOf(progress, { outcome: 'interrupted' })
  if (without !== null) return runSteps(turn, progress, without)
  if (decision.kind === 'fail') return null
  const fresh = freshSystem()
  const stored = await admitSend(turn, decision, { input: null, fresh })
  if (stored.kind === 'failed') return unrecordedEnd(progress, stored.error)
  const inFresh = enterFreshWindow(turn, progress, { stored: stored.rows, fresh, told: decision.told })
  return runSteps(inFresh, progress, decision.request)
}

function finishStopped(turn: TurnContext, progress: Progress, live: LiveRow): Promise<TurnEnd> {
  return finish(turn, progress, live, { ending: { interrupted: true }, how: { outcome: 'interrupted' } })
}

/** Never an emergency loop (P-4): the results are kept, the person's next message finds the way out. */
function finishTooLong(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  { rejection, advice }: { rejection: RequestRejection; advice: string }
): Promise<TurnEnd> {
  const message = `${rejection.message} The turn stopped and every result is kept. ${advice}`
  return finish(turn, progress, live, { how: blockedEnd({ reason: 'request_too_large', message }) })
}

function adviceOf(turn: TurnContext): string {
  const rollsOver = turn.strategy.describe().verb === 'rolls over' && (turn.points?.rolloverPoint ?? null) !== null
  return rollsOver ? 'Your next message goes on in a fresh window.' : WAYS_OUT
}

function tellUsage(turn: TurnContext, progress: Progress, step: StepPart): void {
  const view = usageViewOf(progress.ledger, turn.info, { ...turn, lastUsage: step.usage })
  turn.publish({
    type: 'usage',
    requestSequence: step.requestSequence,
    usage: step.usage,
    contextTokens: view.contextTokens,
    maxTokens: view.maxTokens,
    view
  })
}
