// Owns how a streamed row is finished: the sums of its steps, its cost, how it ended. Pure.
import { addUsage, NO_USAGE } from '@common/budget/usage'
import type { ModelPrice } from '@common/models/model-info'
import { isKnownPart } from '@common/rows/row-schema'
import type { NewRow, RowMetadata, StepPart } from '@common/rows/row-schema'
import { addCost, NO_COST } from '../costs/cost-ledger'

/** What a turn adds to the last row of an answer. */
export type RowEnding = Pick<RowMetadata, 'interrupted' | 'error' | 'durationMs' | 'pausedFor'>

/** The finished row with the sums of its steps and how it ended. */
export function finishedRow(row: NewRow, priceOf: (modelRef: string) => ModelPrice | null, ending: RowEnding): NewRow {
  const steps = row.parts.filter((part): part is StepPart => isKnownPart(part) && part.type === 'step')
  const last = steps.at(-1)
  const usage = steps.reduce((sum, step) => addUsage(sum, step.usage), NO_USAGE)
  const cost = steps.reduce((total, step) => addCost(total, step, priceOf), NO_COST)
  return {
    ...row,
    metadata: {
      ...row.metadata,
      ...(last === undefined ? {} : { usage, contextUsage: last.usage, requestSequence: last.requestSequence }),
      ...(last === undefined || cost.unpricedSteps > 0 ? {} : { costUsd: cost.costUsd }),
      ...ending
    }
  }
}
