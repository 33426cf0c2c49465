// Owns which mode of the context budget a send is in (G-1, G-2, G-5): decided once at its admission. Pure.
import { splitModelRef } from '../ids'
import type { Settings } from '../settings/settings-schema'

/** The experiment of token-budget context windows, as settings and the command line name it. */
export const TOKEN_BUDGET = 'tokenBudget'

export interface BudgetMode {
  /** Token-budget windows: rollover, warning, notes, guidance and wording follow it. */
  readonly isTokenBudget: boolean
  /** Share of the limit at which automatic handling starts; 1 or more turns it off. */
  readonly threshold: number
}

export interface ModeSource {
  readonly settings: Pick<Settings, 'experiments' | 'autoThreshold' | 'modelThresholds'>
  /** PROVIDER_ID:MODEL_ID that will run. */
  readonly modelRef: string
  /** What this send says of experiments; it wins over the setting. */
  readonly experiments: Readonly<Record<string, boolean>> | undefined
}

/** The mode of one send. The demo model's small window has the experiment on unless it was switched off. */
export function budgetModeOf({ settings, modelRef, experiments }: ModeSource): BudgetMode {
  const byDefault = splitModelRef(modelRef)?.providerId === DEMO_PROVIDER
  return {
    isTokenBudget: experiments?.[TOKEN_BUDGET] ?? settings.experiments[TOKEN_BUDGET] ?? byDefault,
    threshold: settings.modelThresholds[modelRef] ?? settings.autoThreshold
  }
}

const DEMO_PROVIDER = 'demo'
