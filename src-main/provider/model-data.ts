// Owns reading model-data.json: what is known of models without asking anybody, one line of columns a model.
// The file is written by scripts/update-model-data.mjs; a list is parsed when it is first asked for.
import type { ModelPrice } from '@common/models/model-info'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import data from './model-data.json'

export interface KnownModel {
  readonly id: string
  readonly name: string
  /** Tokens; null when the source does not say. */
  readonly contextLimit: number | null
  readonly maxOutputTokens: number | null
  readonly price: ModelPrice | null
  readonly vision: boolean
  readonly thinkingLevels: readonly ThinkingLevel[]
  /** Good to start with: current, and no dated copy of another one. */
  readonly offered: boolean
}

export type ModelList = keyof typeof data.providers

const LEVELS: Readonly<Record<string, ThinkingLevel>> = { o: 'off', l: 'low', m: 'medium', h: 'high' }

const parsed = new Map<ModelList, ReadonlyMap<string, KnownModel>>()

/** The models of a list in the order in which to offer them: newest first, those not offered last. */
export function knownModels(list: ModelList): ReadonlyMap<string, KnownModel> {
  const known = parsed.get(list)
  if (known !== undefined) return known
  const models = new Map(data.providers[list].map(modelOf).map((model) => [model.id, model]))
  parsed.set(list, models)
  return models
}

/** The model of this id; a dated copy (`-2026-04-23`, `-20251101`) that is not listed reads as the undated one. */
export function knownModel(list: ModelList, modelId: string): KnownModel | null {
  const models = knownModels(list)
  return models.get(modelId) ?? models.get(modelId.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')) ?? null
}

function modelOf(line: string): KnownModel {
  const [id = '', name = '', context, output, input, out, read, write, tiers = '', vision, thinking = '', offered] =
    line.split('|')
  const rates = ratesOf([input, out, read, write])
  return {
    id,
    name,
    contextLimit: numberOf(context),
    maxOutputTokens: numberOf(output),
    price: rates === null ? null : { ...rates, ...(tiers === '' ? {} : { tiers: tiers.split(';').flatMap(tierOf) }) },
    vision: vision === 'v',
    thinkingLevels: [...thinking].flatMap((letter) => LEVELS[letter] ?? []),
    offered: offered === 'y'
  }
}

function tierOf(column: string): NonNullable<ModelPrice['tiers']>[number][] {
  const [above, ...columns] = column.split(',')
  const [rates, inputTokensAbove] = [ratesOf(columns), numberOf(above)]
  return rates === null || inputTokensAbove === null ? [] : [{ inputTokensAbove, ...rates }]
}

function ratesOf([input, output, read, write]: readonly (string | undefined)[]): Omit<ModelPrice, 'tiers'> | null {
  const [inputRate, outputRate] = [numberOf(input), numberOf(output)]
  if (inputRate === null || outputRate === null) return null
  return { input: inputRate, output: outputRate, cacheRead: numberOf(read), cacheWrite: numberOf(write) }
}

function numberOf(column: string | undefined): number | null {
  return column === undefined || column === '' ? null : Number(column)
}
