// Owns whether one more summary of a window would help (C-2): where the summary that began it filled it already, with
// what is sent beside every window, the next one would too, and each step of a task would cost a summary.
import { contextTokensOf } from '@common/budget/usage'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row, type StepPart } from '@common/rows/row-schema'
import type { BeforeSend } from './context-strategy'

/** Told once where it would not. */
export const NO_ROOM =
  'Summarised, this window is as full as before, so it goes on as it is. Raise the threshold, take a model with a larger window, or begin a fresh window with /clear --soft.'

/** False only where the provider measured it. */
export async function makesRoom({ windowRows, model, points, countRows }: BeforeSend): Promise<boolean> {
  const [boundary] = windowRows
  const fullAt = points?.rolloverPoint ?? null
  if (fullAt === null || boundary === undefined || rowKindOf(boundary) !== 'compaction-summary') return true
  const answerAt = windowRows.findIndex((row) => rowKindOf(row) === 'assistant')
  const step = windowRows[answerAt]?.parts.find(isStep)
  if (step === undefined || step.model !== model) return true
  // The first request without what came behind the summary: as small as this window ever was.
  const behind = answerAt === 1 ? 0 : await countRows(windowRows.slice(1, answerAt))
  return behind === null || contextTokensOf(step.usage) - behind < fullAt
}

function isStep(part: Row['parts'][number]): part is StepPart {
  return isKnownPart(part) && part.type === 'step'
}
