// Owns what we know of a model. Unknown stays unknown: a missing limit is null, never 0 or infinite (G-2).
import { z } from 'zod'
import { ThinkingLevel } from '../settings/settings-schema'

/** US dollars per million tokens; a cache price that is null means that cached tokens cost as any input. */
const Rates = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number().nullable(),
  cacheWrite: z.number().nullable()
})

export const ModelPrice = Rates.extend({
  /** Some providers charge a whole request more when its input is long. Ascending. */
  tiers: z.array(Rates.extend({ inputTokensAbove: z.number() })).optional()
})
export type ModelPrice = z.infer<typeof ModelPrice>

export const ModelInfo = z.object({
  /** PROVIDER_ID:MODEL_ID */
  ref: z.string(),
  providerId: z.string(),
  modelId: z.string(),
  name: z.string(),
  /** Tokens; null when unknown. */
  contextLimit: z.number().nullable(),
  maxOutputTokens: z.number().nullable(),
  price: ModelPrice.nullable(),
  /** Name of the tokenizer; `estimated` when it stands in for one that is not public. */
  encoding: z.string(),
  encodingEstimated: z.boolean(),
  vision: z.boolean(),
  thinkingLevels: z.array(ThinkingLevel),
  fallbacks: z.array(z.string()),
  /** Ready to be used: its provider has a key or needs none. */
  available: z.boolean()
})
export type ModelInfo = z.infer<typeof ModelInfo>
