// Owns the names of the experiments that a person may switch (`experiments.NAME` in config.json).

export const EXPERIMENT_NAMES = ['tokenBudget'] as const
export type ExperimentName = (typeof EXPERIMENT_NAMES)[number]

/** True for an experiment of this version; narrows a name typed by a person. */
export function isExperimentName(name: string): name is ExperimentName {
  return (EXPERIMENT_NAMES as readonly string[]).includes(name)
}
