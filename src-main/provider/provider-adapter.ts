// Owns the shape of an adapter: what the registry gives it and what it gives back. One file a kind of provider.
// Adapters make a LanguageModelV3 and say how thinking is asked for; they do not retry, count or store.
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelInfo } from '@common/models/model-info'
import type { ThinkingLevel } from '@common/settings/settings-schema'

export interface AdapterSetup {
  readonly modelId: string
  readonly info: ModelInfo
  /** As the SDK takes it, `/v1` included; null for the provider's own address. */
  readonly baseUrl: string | null
  /** Null where none is needed: an endpoint of the person's own. */
  readonly apiKey: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

export interface AdaptedModel {
  readonly model: LanguageModelV3
  /** Options of one call. `promptCacheKey` names the conversation, for providers that route their cache by it. */
  providerOptions(thinking: ThinkingLevel, promptCacheKey?: string): SharedV3ProviderOptions
  /** Does the provider take explicit cache breakpoints (L-4)? */
  readonly supportsCacheMarks: boolean
}

export type ProviderAdapter = (setup: AdapterSetup) => Promise<AdaptedModel>

/** Stands in for a key where the SDK insists on one and the endpoint does not. */
export const NO_KEY_NEEDED = 'none'

/** The level to ask for: one that the model does not offer counts as not asked (null). */
export function offeredLevel(info: ModelInfo, level: ThinkingLevel): ThinkingLevel | null {
  const offersAny = info.thinkingLevels.some((offered) => offered !== 'off')
  if (level === 'off') return offersAny ? 'off' : null
  return info.thinkingLevels.includes(level) ? level : null
}
