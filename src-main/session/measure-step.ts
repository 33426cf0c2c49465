// Owns what a settled step says of its window (E-1): the provider's own count, and where it gives none, ours.
import { recordStep, type UsageLedger } from '@common/budget/usage-ledger'
import type { StepPart } from '@common/rows/row-schema'
import { countRows } from '../context/count-rows'
import { buildPrompt } from '../context/prepare-request'
import type { LiveRow } from './live-row'
import type { TurnContext } from './turn-context'
import type { Progress } from './turn-progress'

/** The ledger after a step. Some endpoints count nothing; a window that nobody measures would never be handled. */
export async function measureStep(
  turn: TurnContext,
  { windowId, rows }: Pick<Progress, 'windowId' | 'rows'>,
  live: LiveRow,
  { step, parts }: { step: StepPart; parts: LiveRow['row']['parts'] }
): Promise<UsageLedger> {
  const ledger = recordStep(windowId, step, parts)
  if (ledger.measuredTokens !== null) return ledger
  const { settings } = turn
  const before = { ...live.row, parts: live.row.parts.slice(0, -parts.length) }
  const sent = await settings.countTokens(await buildPrompt([...rows, before], settings), settings.tools)
  const added = await countRows([{ ...live.row, parts }], settings)
  if (sent.kind === 'failed' || added === null) return ledger
  return { ...ledger, measuredTokens: sent.tokens, measuredAtSequence: step.requestSequence, tailEstimate: added }
}
