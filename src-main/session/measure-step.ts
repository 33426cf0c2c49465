// Owns what a settled step says of its window (E-1): the provider's own count, and where it gives none, ours.
import { recordStep, type UsageLedger } from '@common/budget/usage-ledger'
import type { Row, StepPart } from '@common/rows/row-schema'
import { countRows } from '../context/count-rows'
import type { PreparedRequest } from '../context/prepare-request'
import type { TurnContext } from './turn-context'

/** The ledger after a step. Some endpoints count nothing; a window that nobody measures would never be handled. */
export async function measureStep(
  { settings }: Pick<TurnContext, 'settings'>,
  { windowId, request }: { readonly windowId: string; readonly request: PreparedRequest },
  answer: Row,
  { step, parts }: { step: StepPart; parts: Row['parts'] }
): Promise<UsageLedger> {
  const ledger = recordStep(windowId, step, parts)
  if (ledger.measuredTokens !== null) return ledger
  const sent = await settings.countTokens(request.prompt, request.tools)
  const added = await countRows([{ ...answer, parts }], settings)
  if (sent.kind === 'failed' || added === null) return ledger
  return { ...ledger, measuredTokens: sent.tokens, measuredAtSequence: step.requestSequence, tailEstimate: added }
}
