// Owns which mode of the context budget a send is in (G-1, G-2, G-5): decided once at its admission. Pure.
import { splitModelRef } from '../ids'
import type { Settings } from '../settings/settings-schema'

/** The experiment of token-budget context windows, as settings and the command line name it. */
export const TOKEN_BUDGET = 'tokenBudget'

/** What handles a full window; each has one strategy in `src-main/context`, or its place for one. */
export type StrategyId = 'continuous' | 'rlm' | 'token-budget' | 'summarise'

interface StrategySlot {
  readonly id: StrategyId
  /** The name under `experiments` that asks for it. */
  readonly experiment: string
  readonly title: string
  /** This version can do it. */
  readonly exists: boolean
}

/** Who comes first where several are asked for (G-2). What is last of all, a summary, is asked for by nobody. */
export const STRATEGY_PRECEDENCE: readonly StrategySlot[] = [
  { id: 'continuous', experiment: 'continuousCompaction', title: 'Continuous compaction', exists: false },
  { id: 'rlm', experiment: 'rlm', title: 'RLM', exists: false },
  { id: 'token-budget', experiment: TOKEN_BUDGET, title: 'Token-budget windows', exists: true }
]

export interface ChosenStrategy {
  readonly id: StrategyId
  /** Asked for, and not there: it changes nothing (C-6). */
  readonly notEffective: readonly StrategySlot[]
}

/** The first strategy that is asked for and exists. `slots` as in `STRATEGY_PRECEDENCE`. */
export function chooseStrategy(
  wants: Readonly<Record<string, boolean>>,
  slots: readonly StrategySlot[] = STRATEGY_PRECEDENCE
): ChosenStrategy {
  const asked = slots.filter(({ experiment }) => wants[experiment] === true)
  return {
    id: asked.find(({ exists }) => exists)?.id ?? 'summarise',
    notEffective: asked.filter(({ exists }) => !exists)
  }
}

/** What a person is told once of each setting that asks for a strategy of another version (C-6). */
export function notEffectiveTexts(experiments: Readonly<Record<string, boolean>>): string[] {
  return chooseStrategy(experiments).notEffective.map(
    ({ experiment, title }) =>
      `The setting experiments.${experiment} is not effective: ${title} is not in this version of Tidemark. Windows are handled as without it.`
  )
}

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
  const wants = { [TOKEN_BUDGET]: byDefault, ...settings.experiments, ...experiments }
  return {
    isTokenBudget: chooseStrategy(wants).id === 'token-budget',
    threshold: settings.modelThresholds[modelRef] ?? settings.autoThreshold
  }
}

const DEMO_PROVIDER = 'demo'
