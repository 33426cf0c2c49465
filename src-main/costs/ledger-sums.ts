// Owns adding up what rows say that they cost: tokens by their steps, dollars as they were noted when a row was closed.
// A row's cost is never reckoned again, so that a new price list changes nothing of the past. Pure.
import { contextTokensOf } from '@common/budget/usage'
import { costOfUsage } from '@common/costs/cost-of-usage'
import type { ModelPrice } from '@common/models/model-info'
import { isKnownPart, type Row, type StepPart } from '@common/rows/row-schema'
import { isUnpriced } from './cost-ledger'

export interface LedgerSums {
  readonly requests: number
  readonly fresh: number
  readonly cached: number
  readonly written: number
  readonly output: number
  readonly costUsd: number
  /** Requests whose cost no row notes. */
  readonly unpriced: number
}

export const NO_SUMS: LedgerSums = { requests: 0, fresh: 0, cached: 0, written: 0, output: 0, costUsd: 0, unpriced: 0 }

export type PriceOf = (modelRef: string) => ModelPrice | null

export function addSums(a: LedgerSums, b: LedgerSums): LedgerSums {
  return {
    requests: a.requests + b.requests,
    fresh: a.fresh + b.fresh,
    cached: a.cached + b.cached,
    written: a.written + b.written,
    output: a.output + b.output,
    costUsd: a.costUsd + b.costUsd,
    unpriced: a.unpriced + b.unpriced
  }
}

/** Adds rows one after another, in the order of the history: a long answer's cost stands on its last row. */
export class LedgerCollector {
  readonly #priceOf: PriceOf
  readonly #models = new Map<string, LedgerSums>()
  /** Steps of an answer whose cost comes with a later row. */
  #open: { readonly rowId: string; readonly steps: readonly StepPart[] } | null = null

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf
  }

  add(row: Row): void {
    const { continues, costUsd } = row.metadata
    const own = row.parts.filter((part): part is StepPart => isKnownPart(part) && part.type === 'step')
    const goesOn = this.#open !== null && continues === this.#open.rowId
    const steps = [...(goesOn ? (this.#open?.steps ?? []) : []), ...own]
    for (const step of own) this.#note(step.model, sumsOf(step))
    this.#open = null
    if (isUnpriced(row)) for (const { model } of steps) this.#note(model, { ...NO_SUMS, unpriced: 1 })
    else if (costUsd === undefined && steps.length > 0) this.#open = { rowId: row.id, steps }
    if (costUsd === undefined) return
    for (const [model, share] of sharesOf(steps, this.#priceOf, row.metadata.model ?? 'unknown'))
      this.#note(model, { ...NO_SUMS, costUsd: costUsd * share })
  }

  /** By model. */
  get models(): ReadonlyMap<string, LedgerSums> {
    return this.#models
  }

  #note(model: string, sums: LedgerSums): void {
    this.#models.set(model, addSums(this.#models.get(model) ?? NO_SUMS, sums))
  }
}

function sumsOf({ usage }: StepPart): LedgerSums {
  return {
    ...NO_SUMS,
    requests: 1,
    fresh: usage.inputTokens,
    cached: usage.cacheReadTokens,
    written: usage.cacheWriteTokens,
    output: usage.outputTokens
  }
}

/**
 * Shares of a row's cost by model, 1 in all. An answer that fell back to another model has steps of several: they
 * share by today's prices, else by tokens, else evenly.
 */
function sharesOf(steps: readonly StepPart[], priceOf: PriceOf, rowModel: string): Map<string, number> {
  const models = new Set(steps.map(({ model }) => model))
  const [only] = models
  if (models.size <= 1) return new Map([[only ?? rowModel, 1]])
  const priced = steps.map(({ model, usage }) => costOfUsage(usage, priceOf(model)) ?? 0)
  const tokens = steps.map(({ usage }) => contextTokensOf(usage) + usage.outputTokens)
  const weights = [priced, tokens].find((each) => sum(each) > 0) ?? steps.map(() => 1)
  const all = sum(weights)
  const shares = new Map<string, number>()
  for (const [index, { model }] of steps.entries())
    shares.set(model, (shares.get(model) ?? 0) + (weights[index] ?? 0) / all)
  return shares
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
