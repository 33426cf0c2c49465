// Owns the way from a model reference (PROVIDER_ID:MODEL_ID) to a model that can be called (L-1).
// Reads the entries anew each time, so a changed setting counts from the next request on. Keeps no key.
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Clock } from '@common/clock'
import { splitModelRef } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import type { ModelInfo } from '@common/models/model-info'
import type { ProviderFailure } from '@common/models/provider-failure'
import { PROVIDER_NAMES, usualKeyEnvNames } from '@common/settings/provider-defaults'
import type { ProviderEntry, ProviderKind } from '@common/settings/provider-schema'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { withAnswerEnd } from './answer-end'
import { adaptAnthropic } from './anthropic'
import { adaptGoogle } from './google'
import { adaptOpenAi } from './openai'
import { adaptOpenAiCompatible } from './openai-compatible'
import type { ProviderAdapter } from './provider-adapter'
import { classifyProviderError } from './provider-errors'
import { keyFromEnv, worksWithoutKey } from './provider-keys'
import { withStallWatch } from './stall-watch'

export interface ResolvedModel {
  /** PROVIDER_ID:MODEL_ID */
  readonly ref: string
  /** Not retried and not guarded yet: pass it through `withRetry`, and `maxRetries: 0` to the SDK. */
  readonly model: LanguageModelV3
  readonly info: ModelInfo
  readonly kind: ProviderKind
  /** The provider's name as the person knows it. */
  readonly providerName: string
  /** Options of one call. `promptCacheKey` names the conversation, for providers that route their cache by it. */
  providerOptions(thinking: ThinkingLevel, promptCacheKey?: string): SharedV3ProviderOptions
  /** Does the provider take explicit cache breakpoints (L-4)? */
  readonly supportsCacheMarks: boolean
  /** Names what the model threw or streamed as an error; its message holds no key. */
  classify(error: unknown): ProviderFailure
}

export interface UnresolvedModel {
  readonly kind: 'unknown_provider' | 'unknown_model' | 'no_key'
  /** One sentence for a person. */
  readonly message: string
}

export interface ProviderRegistryOptions {
  /** The providers as they are now. */
  entries(): readonly ProviderEntry[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The key that the entry names, from wherever it is kept; null when there is none or it cannot be opened here. */
  resolveKey(entry: ProviderEntry): Promise<string | null>
  modelInfo(ref: string, entry: ProviderEntry): ModelInfo
  demoModel(): LanguageModelV3
  readonly clock: Clock
  /** Only for tests and proxies; the global fetch otherwise. */
  readonly fetch?: typeof globalThis.fetch
}

export interface ProviderRegistry {
  resolve(modelRef: string): Promise<Result<ResolvedModel, UnresolvedModel>>
}

const ADAPTERS: Readonly<Record<Exclude<ProviderKind, 'demo'>, ProviderAdapter>> = {
  anthropic: adaptAnthropic,
  openai: adaptOpenAi,
  google: adaptGoogle,
  'openai-compatible': adaptOpenAiCompatible
}

export function createProviderRegistry(options: ProviderRegistryOptions): ProviderRegistry {
  // The SDK prints its warnings to stdout otherwise, between the lines that a script reads. They are in each step too.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return { resolve: (modelRef) => resolveModel(modelRef, options) }
}

async function resolveModel(
  modelRef: string,
  options: ProviderRegistryOptions
): Promise<Result<ResolvedModel, UnresolvedModel>> {
  const parts = splitModelRef(modelRef)
  if (parts === null)
    return err({ kind: 'unknown_model', message: `“${modelRef}” is no model: write it as PROVIDER_ID:MODEL_ID.` })
  const entry = options.entries().find((candidate) => candidate.id === parts.providerId)
  if (entry === undefined)
    return err({
      kind: 'unknown_provider',
      message: `There is no provider “${parts.providerId}” for ${modelRef}: add it in the settings or in providers.json.`
    })
  const providerName = entry.name ?? (entry.kind === 'openai-compatible' ? entry.id : PROVIDER_NAMES[entry.kind])
  const info = options.modelInfo(modelRef, entry)
  if (entry.kind === 'demo') return resolveDemo(modelRef, providerName, info, options)

  const apiKey = (await options.resolveKey(entry)) ?? keyFromEnv(entry, options.env)
  if (apiKey === null && !worksWithoutKey(entry))
    return err({ kind: 'no_key', message: noKeyMessageOf(entry, providerName) })

  const classify = (error: unknown): ProviderFailure =>
    classifyProviderError(error, {
      providerName,
      modelRef,
      nowMs: options.clock.now(),
      secrets: [...(apiKey === null ? [] : [apiKey]), ...Object.values(entry.headers ?? {})]
    })
  const adapted = await ADAPTERS[entry.kind]({
    modelId: parts.modelId,
    info,
    baseUrl: entry.baseUrl ?? null,
    apiKey,
    headers: entry.headers ?? {},
    fetch: withAnswerEnd(withStallWatch(options.fetch ?? globalThis.fetch, options.clock))
  })
  return ok({ ref: modelRef, info, kind: entry.kind, providerName, classify, ...adapted })
}

function resolveDemo(
  modelRef: string,
  providerName: string,
  info: ModelInfo,
  options: ProviderRegistryOptions
): Result<ResolvedModel, UnresolvedModel> {
  const model = options.demoModel()
  if (modelRef.slice(modelRef.indexOf(':') + 1) !== model.modelId)
    return err({
      kind: 'unknown_model',
      message: `The demo provider has one model, ${model.modelId}, and not ${modelRef}.`
    })
  return ok({
    ref: modelRef,
    model,
    info,
    kind: 'demo',
    providerName,
    providerOptions: (thinking) => ({ demo: { thinking } }),
    supportsCacheMarks: false,
    classify: (error) => classifyProviderError(error, { providerName, modelRef })
  })
}

function noKeyMessageOf(entry: ProviderEntry, providerName: string): string {
  if (entry.apiKeyEnv !== undefined)
    return `${providerName} has no key: set the environment variable ${entry.apiKeyEnv}, or enter a key in the settings.`
  if (entry.apiKeyRef !== undefined)
    return `The key of ${providerName} is in the keychain of the desktop app and cannot be opened here: use apiKey or apiKeyEnv in providers.json.`
  const names = usualKeyEnvNames(entry)
  return `${providerName} has no key: enter one in the settings${names.length > 0 ? ` or set ${names.join(' or ')}` : ''}.`
}
