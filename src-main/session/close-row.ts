// Owns how a streamed row is finished: the sums of its steps, its cost, how it ended. Pure.
import { addUsage, NO_USAGE } from '@common/budget/usage'
import { costOfUsage } from '@common/costs/cost-of-usage'
import type { ModelInfo } from '@common/models/model-info'
import { isKnownPart } from '@common/rows/row-schema'
import type { NewRow, RowMetadata, StepPart } from '@common/rows/row-schema'

/** What a turn adds to the last row of an answer. */
export type RowEnding = Pick<RowMetadata, 'interrupted' | 'error' | 'durationMs'>

/** The finished row with the sums of its steps and how it ended. */
export function finishedRow(row: NewRow, info: ModelInfo, ending: RowEnding): NewRow {
  const steps = row.parts.filter((part): part is StepPart => isKnownPart(part) && part.type === 'step')
  const last = steps.at(-1)
  const usage = steps.reduce((sum, step) => addUsage(sum, step.usage), NO_USAGE)
  const cost = last === undefined ? null : costOfUsage(usage, info.price)
  return {
    ...row,
    metadata: {
      ...row.metadata,
      ...(last === undefined ? {} : { usage, contextUsage: last.usage, requestSequence: last.requestSequence }),
      ...(cost === null ? {} : { costUsd: cost }),
      ...ending
    }
  }
}
