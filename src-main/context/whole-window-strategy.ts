// Owns the plain strategy: the whole window is sent, and at the ceiling it stops and says so.
// Honest while there is nothing else: no row is dropped, no summary is made up.
import { hardCeilingOf } from '@common/budget/budget-points'
import { projectedTokens } from '@common/budget/usage-ledger'
import { usesOf } from '@common/rows/row-kinds'
import type { BeforeSend, ContextStrategy, SendDecision, SettledStep, StepDecision } from './context-strategy'
import type { RequestRejection } from './prepare-request'
import { tokensInWords } from './tokens-in-words'

export const wholeWindowStrategy: ContextStrategy = {
  id: 'whole-window',
  beforeSend,
  onStepSettled,
  onOverflow: async () => ({ kind: 'fail' }),
  describe: () => ({ verb: 'stops' })
}

async function beforeSend(moment: BeforeSend): Promise<SendDecision> {
  const rows = moment.input === null ? [...moment.company] : [...moment.company, moment.input]
  const request = await moment.prepare([...moment.windowRows, ...rows])
  if (request.kind === 'prepared') return { kind: 'send', rows, request, stays: null }
  const fresh = !moment.windowRows.some((row) => usesOf(row).windowEligible)
  return {
    kind: 'blocked',
    block: {
      reason: fresh ? 'fresh_request_too_large' : 'request_too_large',
      message: `${request.message} ${adviceFor(request.reason, fresh)}`
    }
  }
}

/** What helps; a request that could not be counted may not be too long at all. */
function adviceFor(reason: RequestRejection['reason'], fresh: boolean): string {
  if (reason === 'uncountable') return 'Send it again, or take another model.'
  return fresh
    ? 'Shorten the message, remove attachments, or take a model with a larger window.'
    : 'Begin a fresh window with /clear --soft, or take a model with a larger window.'
}

async function onStepSettled(step: SettledStep): Promise<StepDecision> {
  const projected = projectedTokens(step.ledger)
  const hardCeiling = hardCeilingOf(step.limits)
  if (projected === null || hardCeiling === null || projected < hardCeiling) return { kind: 'continue' }
  return {
    kind: 'block',
    projected,
    hardCeiling,
    block: {
      reason: 'request_too_large',
      message:
        `The conversation now holds about ${tokensInWords(projected)} tokens and ${step.model} takes ` +
        `${tokensInWords(hardCeiling)}; the turn stopped and every result is kept. Begin a fresh window with /clear --soft, or take a model with a larger window.`
    }
  }
}
