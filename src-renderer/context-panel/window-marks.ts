// Owns where the marks of a window stand and what happens at its end (U-5, U-6), from the model and the settings as they
// are now: a threshold that is moved shows at once. Pure.
import { budgetModeOf } from '@common/budget/budget-mode'
import { budgetPointsOf } from '@common/budget/budget-points'
import type { UsageView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { Settings } from '@common/settings/settings-schema'

/** Every point in tokens. */
export interface WindowMarks {
  /** PROVIDER_ID:MODEL_ID whose window it is. */
  readonly modelRef: string
  readonly maxTokens: number
  readonly hardCeiling: number
  /** Null where the agent is not warned. */
  readonly warningPoint: number | null
  readonly atEnd: UsageView['atEnd']
  /** Where that happens: the rollover point, or the hard ceiling. */
  readonly endPoint: number
}

/** Null where the limit of the model is not known: then nothing is claimed. */
export function windowMarksOf(model: ModelInfo | null, settings: Settings): WindowMarks | null {
  if (model === null) return null
  const mode = budgetModeOf({ settings, modelRef: model.ref, experiments: undefined })
  const points = budgetPointsOf(model, mode.threshold)
  if (points === null || model.contextLimit === null) return null
  const { hardCeiling, rolloverPoint, warningPoint } = points
  const place = { modelRef: model.ref, maxTokens: model.contextLimit, hardCeiling }
  if (rolloverPoint === null) return { ...place, warningPoint: null, atEnd: 'stops', endPoint: hardCeiling }
  // Nobody is warned of a summary.
  return mode.isTokenBudget
    ? { ...place, warningPoint, atEnd: 'rolls over', endPoint: rolloverPoint }
    : { ...place, warningPoint: null, atEnd: 'compacts', endPoint: rolloverPoint }
}

/** A point as a share of the limit, in whole per cent. */
export function percentOf(tokens: number, { maxTokens }: Pick<WindowMarks, 'maxTokens'>): number {
  return Math.floor((tokens * 100) / maxTokens)
}
