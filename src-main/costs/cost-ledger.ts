// Owns the running total of a workspace: a pure reducer over the steps of its rows. The session keeps the
// total in workspace.json. A step whose price is not known is counted, so that a total can say it is partial.
import { costOfUsage } from '@common/costs/cost-of-usage'
import type { ModelPrice } from '@common/models/model-info'
import { isKnownPart, type Row, type StepPart } from '@common/rows/row-schema'

export interface CostTotal {
  readonly costUsd: number
  /** Steps on models whose price is not known; their cost is missing in `costUsd`. */
  readonly unpricedSteps: number
}

export const NO_COST: CostTotal = { costUsd: 0, unpricedSteps: 0 }

/** The total with one more step. `priceOf` answers for PROVIDER_ID:MODEL_ID, null when unknown. */
export function addCost(
  total: CostTotal,
  step: Pick<StepPart, 'model' | 'usage'>,
  priceOf: (modelRef: string) => ModelPrice | null
): CostTotal {
  const costUsd = costOfUsage(step.usage, priceOf(step.model))
  return costUsd === null
    ? { ...total, unpricedSteps: total.unpricedSteps + 1 }
    : { ...total, costUsd: total.costUsd + costUsd }
}

/**
 * True where requests were made whose cost the row does not note. A long answer is stored as several rows, its cost on the
 * last; one that a crash cut off never got its cost.
 */
export function isUnpriced({ metadata, parts }: Row): boolean {
  if (metadata.costUsd !== undefined) return false
  if (metadata.usage !== undefined) return true
  return metadata.interrupted === true && parts.some((part) => isKnownPart(part) && part.type === 'step')
}
