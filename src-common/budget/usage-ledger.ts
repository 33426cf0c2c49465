// Owns the one usage ledger: what the active window held at the last measurement, and what came since.
// Send check, step check, meter and countdown all read it; everything that makes it untrue goes through
// `invalidate`. A value, not an object with a life: the session keeps the newest.
import type { StepPart, Row } from '../rows/row-schema'
import { rowKindOf, usesOf } from '../rows/row-kinds'
import { isKnownPart } from '../rows/row-schema'
import { contextTokensOf } from './usage'
import { projectUsage, unsentTailOf } from './project-usage'

export interface UsageLedger {
  readonly windowId: string
  /** PROVIDER_ID:MODEL_ID that measured; another model's figure does not count. */
  readonly model: string
  /** Tokens of the last request's context, as the provider counted them; null when nothing was measured. */
  readonly measuredTokens: number | null
  /** Request that measured, by its sequence. */
  readonly measuredAtSequence: number | null
  /** Tokens since then: the answer's output and tool results that no request has sent yet. */
  readonly tailEstimate: number
}

/** A ledger that knows nothing: a fresh window, another model, an edit, a restart. */
export function invalidate(windowId: string, model: string): UsageLedger {
  return { windowId, model, measuredTokens: null, measuredAtSequence: null, tailEstimate: 0 }
}

/**
 * The ledger after a settled step; `stepParts` are the parts that the step added, its StepPart last. Nothing is measured
 * where the provider counted nothing.
 */
export function recordStep(windowId: string, step: StepPart, stepParts: Row['parts']): UsageLedger {
  const measuredTokens = contextTokensOf(step.usage)
  if (!(measuredTokens > 0)) return invalidate(windowId, step.model)
  return {
    windowId,
    model: step.model,
    measuredTokens,
    measuredAtSequence: step.requestSequence,
    tailEstimate: projectUsage(step.usage, unsentTailOf(stepParts)) - measuredTokens
  }
}

/** Tokens that the next request of this window will hold at least; null when nothing was measured. */
export function projectedTokens(ledger: UsageLedger): number | null {
  return ledger.measuredTokens === null ? null : ledger.measuredTokens + ledger.tailEstimate
}

/**
 * The ledger as history alone gives it, after a restart or a model switch: the newest step of an
 * answer in the window, if this model wrote it, else nothing measured. A summary's step measured its own request.
 * A step before the request `measuredFrom` does not count: rows were cut since; nor one before the request that left
 * out what a compaction carried (K-4).
 */
export function ledgerFromRows(
  windowId: string,
  model: string,
  windowRows: readonly Row[],
  measuredFrom = 0
): UsageLedger {
  const leftOutFrom = windowRows.findLast(hasLeftOut)?.metadata.postCompactionContext?.omittedFromRequest ?? 0
  const from = Math.max(measuredFrom, leftOutFrom)
  for (let index = windowRows.length - 1; index >= 0; index--) {
    const row = windowRows[index]
    if (row === undefined || rowKindOf(row) !== 'assistant') continue
    const at = row.parts.findLastIndex((part) => isKnownPart(part) && part.type === 'step')
    if (at < 0) continue
    const step = row.parts[at]
    if (step === undefined || !isKnownPart(step) || step.type !== 'step') continue
    const isVoid = step.requestSequence < from || !(contextTokensOf(step.usage) > 0)
    if (step.model !== model || isVoid) return invalidate(windowId, model)
    return recordStep(windowId, step, dividedStep(windowRows, index, at))
  }
  return invalidate(windowId, model)
}

function hasLeftOut({ metadata }: Row): boolean {
  return metadata.postCompactionContext?.omittedFromRequest !== undefined
}

/** The parts of a step whose row may go on from others (H-13): the step of a long answer can lie in several rows. */
function dividedStep(windowRows: readonly Row[], index: number, at: number): Row['parts'] {
  const parts = stepPartsUpTo(windowRows[index]?.parts ?? [], at)
  let row = windowRows[index]
  let isWhole = parts.length <= at
  for (let before = index - 1; !isWhole && row?.metadata.continues !== undefined; before--) {
    const earlier = windowRows[before]
    if (earlier?.id !== row.metadata.continues) break
    const open = earlier.parts.slice(earlier.parts.findLastIndex((part) => part.type === 'step') + 1)
    parts.unshift(...open)
    isWhole = open.length < earlier.parts.length
    row = earlier
  }
  return parts
}

/**
 * What of a window's rows the last measured request has not sent and the ledger's tail does not hold: the rest of the
 * measured answer, and the rows behind it that a request sends. All rows where nothing was measured.
 */
export function rowsSince({ measuredAtSequence }: UsageLedger, windowRows: readonly Row[]): Row[] {
  const isMeasured = (part: Row['parts'][number]): boolean =>
    isKnownPart(part) && part.type === 'step' && part.requestSequence === measuredAtSequence
  const at = windowRows.findLastIndex((row) => row.parts.some(isMeasured))
  const answer = windowRows[at]
  const behind = windowRows.slice(at + 1).filter((row) => usesOf(row).provider === 'yes')
  if (answer === undefined) return behind
  const parts = answer.parts.slice(answer.parts.findLastIndex(isMeasured) + 1)
  return parts.length === 0 ? behind : [{ ...answer, parts }, ...behind]
}

/** The parts of the step that the StepPart at `stepIndex` closes. */
export function stepPartsUpTo(parts: Row['parts'], stepIndex: number): Row['parts'] {
  const previous = parts.slice(0, stepIndex).findLastIndex((part) => part.type === 'step')
  return parts.slice(previous + 1, stepIndex + 1)
}
