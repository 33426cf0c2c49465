// Owns the strategy that summarises (C-2): at the threshold the window is compacted, then the message is sent. A window
// that could not be compacted goes on as it is, up to its ceiling; nothing is dropped on the way.
import { evaluateStepBudget } from '@common/budget/evaluate-step-budget'
import type { BudgetPoints } from '@common/budget/budget-points'
import { projectedTokens } from '@common/budget/usage-ledger'
import { automaticOff, freshTooLarge, requestRefused } from './budget-blocks'
import type { BeforeSend, ContextStrategy, SendDecision, SettledStep, StepDecision } from './context-strategy'
import { makesRoom, NO_ROOM } from './makes-room'
import { projectSend } from './project-send'
import { isEligible } from './window-eligible'

export const summariseStrategy: ContextStrategy = {
  id: 'summarise',
  beforeSend,
  onStepSettled: async (step) => decideStep(step),
  onOverflow: async () => ({ kind: 'fail' }),
  describe: () => ({ verb: 'compacts' })
}

async function beforeSend(moment: BeforeSend): Promise<SendDecision> {
  const { company, input, windowRows, handling, points } = moment
  const projected = await projectSend(moment)
  const decision = evaluateStepBudget({ points: withoutWarning(points), projected, isWarned: true })
  if (decision.kind === 'block') return { kind: 'blocked', block: automaticOff(decision) }
  const mayCompact = isEligible(moment) && handling !== 'tried'
  const isDue = decision.kind === 'rollover' && mayCompact && handling === 'open'
  const helps = !isDue || (await makesRoom(moment))
  if (isDue && helps) return compactFirst(moment)
  const rows = input === null ? company : [...company, input]
  const request = await moment.prepare([...windowRows, ...rows])
  if (request.kind === 'prepared') {
    const failed = handling === 'open' || decision.kind !== 'rollover' ? null : { why: null }
    return { kind: 'send', rows, request, stays: helps ? failed : { why: NO_ROOM } }
  }
  const isAutomatic = points !== null && points.rolloverPoint !== null
  if (request.reason === 'too_large' && isAutomatic && mayCompact) return compactFirst(moment)
  const isTried = handling === 'tried'
  return { kind: 'blocked', block: requestRefused(request, { isEligible: isEligible(moment), isAutomatic, isTried }) }
}

/** A message that fits no window of the model would cost the window and be refused all the same. */
async function compactFirst({ company, input, prepare }: BeforeSend): Promise<SendDecision> {
  if (input === null) return { kind: 'compact' }
  const alone = await prepare([...company, input])
  const isHopeless = alone.kind === 'rejected' && alone.reason === 'too_large'
  return isHopeless ? { kind: 'blocked', block: freshTooLarge(alone) } : { kind: 'compact' }
}

function decideStep({ points, ledger, stays }: SettledStep): StepDecision {
  const projected = projectedTokens(ledger)
  const decision = evaluateStepBudget({ points: withoutWarning(points), projected, isWarned: true })
  if (decision.kind === 'block') return { ...decision, block: automaticOff(decision) }
  if (decision.kind !== 'rollover' || stays) return { kind: 'continue' }
  return { kind: 'compact', projected: decision.projected, hardCeiling: decision.hardCeiling }
}

/** A summary needs no notes, so nobody is warned. */
function withoutWarning(points: BudgetPoints | null): BudgetPoints | null {
  return points === null ? null : { ...points, warningPoint: null }
}
