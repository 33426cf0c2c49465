// Owns the token-budget strategy: warn in time, then begin a fresh window and lose nothing. No model is asked.
// What it rests on is proved before the old window is left: the past stays readable, the fresh request fits.
import { type BudgetDecision, evaluateStepBudget } from '@common/budget/evaluate-step-budget'
import { projectedTokens } from '@common/budget/usage-ledger'
import type { NewRow } from '@common/rows/row-schema'
import { isWarned, warningRow } from './budget-warning'
import { automaticOff, requestRefused } from './budget-blocks'
import { continueRow } from './continue-row'
import type { BeforeSend, ContextStrategy, SendDecision, SettledStep, StepDecision } from './context-strategy'
import type { RequestRejection } from './prepare-request'
import { projectSend } from './project-send'
import { rollOver, type RolloverCause } from './roll-over'
import { copiesOf, isEligible } from './window-eligible'

export const tokenBudgetStrategy: ContextStrategy = {
  id: 'token-budget',
  beforeSend,
  onStepSettled: async (step) => decideStep(step),
  async onOverflow(moment) {
    if (!isAutomatic(moment) || !isEligible(moment)) return { kind: 'fail' }
    const contextTokens = (await projectSend(moment)) ?? 0
    const again = { ...moment, ...copiesOf(moment) }
    const result = await rollOver(again, { reason: 'context-exceeded', flushOpportunity: false, contextTokens })
    return result.kind === 'rollover' ? result : { kind: 'fail' }
  },
  describe: () => ({ verb: 'rolls over' })
}

async function beforeSend(moment: BeforeSend): Promise<SendDecision> {
  const projected = await projectSend(moment)
  const decision = evaluateStepBudget({
    points: moment.points,
    projected,
    isWarned: moment.pending?.kind === 'warning' || isWarned(moment.windowRows)
  })
  if (decision.kind === 'block') return { kind: 'blocked', block: automaticOff(decision) }
  const cause = causeOf(moment, decision, projected)
  return cause !== null && isEligible(moment) ? rollOverOrStay(moment, cause) : sendInPlace(moment, decision, projected)
}

/** Why this send begins a fresh window; null where it need not. What a settled step latched is owed (M-3). */
function causeOf(moment: BeforeSend, decision: BudgetDecision, projected: number | null): RolloverCause | null {
  const { pending } = moment
  if (pending?.kind === 'rollover' && isAutomatic(moment)) {
    const { rolloverId, flushOpportunity } = pending
    return { reason: 'mid-stream', rolloverId, flushOpportunity, contextTokens: projected ?? 0 }
  }
  if (decision.kind !== 'rollover') return null
  const { flushOpportunity, projected: contextTokens } = decision
  return { reason: 'on-send', flushOpportunity, contextTokens }
}

async function rollOverOrStay(moment: BeforeSend, cause: RolloverCause): Promise<SendDecision> {
  const result = await rollOver(moment, cause)
  if (result.kind !== 'stays') return result
  const sent = await prepareInPlace(moment, [])
  if (sent.kind === 'send') return { ...sent, stays: { why: result.why } }
  return 'reason' in result.atCeiling ? { kind: 'blocked', block: result.atCeiling } : result.atCeiling
}

async function sendInPlace(
  moment: BeforeSend,
  decision: BudgetDecision,
  projected: number | null
): Promise<SendDecision> {
  const sent = await prepareInPlace(moment, warningBefore(moment, decision, projected))
  if (sent.kind === 'send') return sent
  if (sent.reason === 'too_large' && isAutomatic(moment) && isEligible(moment)) {
    // What is assembled has the last word (P-3): one emergency, then what a fresh window says.
    const contextTokens = sent.estimate ?? 0
    const result = await rollOver(moment, { reason: 'context-exceeded', flushOpportunity: false, contextTokens })
    if (result.kind !== 'stays') return result
    return 'reason' in result.atCeiling ? { kind: 'blocked', block: result.atCeiling } : result.atCeiling
  }
  return {
    kind: 'blocked',
    block: requestRefused(sent, { isEligible: isEligible(moment), isAutomatic: isAutomatic(moment) })
  }
}

/** The warning that is due before the input: a settled step's, or one that this send itself calls for. */
function warningBefore(moment: BeforeSend, decision: BudgetDecision, projected: number | null): NewRow[] {
  const { pending, points, windowRows, limits } = moment
  const warningId = pending?.kind === 'warning' ? pending.warningId : decision.kind === 'warn' ? moment.newId() : null
  // Of what is not known nothing is said.
  if (warningId === null || isWarned(windowRows) || projected === null) return []
  if (points?.rolloverPoint === null || points === null || limits.contextLimit === null) return []
  return [
    warningRow({
      rowId: moment.newId(),
      warningId,
      nowMs: moment.nowMs,
      contextTokens: projected,
      rolloverPoint: points.rolloverPoint,
      maxTokens: limits.contextLimit,
      mayWriteNotes: moment.mayWriteNotes
    })
  ]
}

type InPlace = Extract<SendDecision, { kind: 'send' }> | RequestRejection

async function prepareInPlace(moment: BeforeSend, warnings: readonly NewRow[]): Promise<InPlace> {
  const rows = [...warnings, ...moment.company, ...inputsOf(moment, warnings)]
  const request = await moment.prepare([...moment.windowRows, ...rows])
  return request.kind === 'prepared' ? { kind: 'send', rows, request, stays: null } : request
}

/** The input, tied to the warning before it (M-4); a turn without one goes on behind a warning all the same. */
function inputsOf({ input, newId, nowMs }: BeforeSend, warnings: readonly NewRow[]): NewRow[] {
  const warningId = warnings[0]?.metadata.machine?.['warningId']
  if (typeof warningId !== 'string') return input === null ? [] : [input]
  const tied = input ?? continueRow(newId(), nowMs)
  return [{ ...tied, metadata: { ...tied.metadata, warningId } }]
}

function decideStep(step: SettledStep): StepDecision {
  const { points, ledger } = step
  const projected = projectedTokens(ledger)
  const decision = evaluateStepBudget({ points, projected, isWarned: step.isWarned })
  if (decision.kind === 'block') return { ...decision, block: automaticOff(decision) }
  // A window that cannot roll over runs to its ceiling (P-2); what is assembled next is refused there (P-4).
  if (step.stays && decision.kind === 'rollover') return { kind: 'continue' }
  return decision
}

function isAutomatic({ points }: BeforeSend): boolean {
  return points !== null && points.rolloverPoint !== null
}
