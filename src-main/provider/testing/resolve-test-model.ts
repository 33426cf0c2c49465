// Owns the short way from a stand-in server to a model as the app resolves it, with retries and guards on.
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { ModelInfo } from '../../../src-common/models/model-info'
import type { ProviderFailure } from '../../../src-common/models/provider-failure'
import type { ProviderEntry } from '../../../src-common/settings/provider-schema'
import { createProviderRegistry, type ResolvedModel } from '../provider-registry'
import { withRetry } from '../retry'
import { createManualClock, type ManualClock } from './manual-clock'
import { scriptedEntry } from './provider-entries'
import type { WireProtocol } from './scripted-turn'

/** Retries wait at most 8 s by themselves; the 120 s watch must not end by itself. */
const LONGEST_RETRY_MS = 20_000

export interface TestModel {
  /** With retries and guards. */
  readonly model: LanguageModelV3
  readonly resolved: ResolvedModel
  readonly clock: ManualClock
  readonly retries: readonly { readonly attempt: number; readonly delayMs: number; readonly failure: ProviderFailure }[]
}

export interface TestModelOptions {
  readonly modelId?: string
  readonly info?: Partial<ModelInfo>
  readonly entry?: Partial<ProviderEntry>
  readonly clock?: ManualClock
  readonly random?: () => number
}

/** Resolves a model of the given protocol at `baseUrl` through the registry. */
export async function resolveTestModel(
  protocol: WireProtocol,
  baseUrl: string,
  options: TestModelOptions = {}
): Promise<TestModel> {
  const clock = options.clock ?? createManualClock(undefined, LONGEST_RETRY_MS)
  const entry: ProviderEntry = { ...scriptedEntry(protocol, baseUrl), ...options.entry }
  const registry = createProviderRegistry({
    entries: () => [entry],
    env: {},
    resolveKey: async (of) => of.apiKey ?? null,
    modelInfo: (ref) => testModelInfo(ref, options.info),
    demoModel: () => {
      throw new Error('this test has no demo model')
    },
    clock
  })
  const result = await registry.resolve(`${entry.id}:${options.modelId ?? 'test-model'}`)
  if (!result.ok) throw new Error(result.error.message)
  const retries: { attempt: number; delayMs: number; failure: ProviderFailure }[] = []
  const model = withRetry(result.value.model, {
    clock,
    random: options.random ?? (() => 0.5),
    classify: (error) => result.value.classify(error),
    onRetry: (retry) => void retries.push(retry)
  })
  return { model, resolved: result.value, clock, retries }
}

/** A model about which nothing special is known. */
export function testModelInfo(ref: string, changes: Partial<ModelInfo> = {}): ModelInfo {
  const colon = ref.indexOf(':')
  return {
    ref,
    providerId: ref.slice(0, colon),
    modelId: ref.slice(colon + 1),
    name: ref.slice(colon + 1),
    contextLimit: 200_000,
    maxOutputTokens: 8_192,
    price: null,
    encoding: 'o200k_base',
    encodingEstimated: false,
    vision: false,
    thinkingLevels: [],
    fallbacks: [],
    available: true,
    ...changes
  }
}

/** A call with one user message. */
export function testCall(changes: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], ...changes }
}

/** Every part of a stream, in order. */
export async function partsOf(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** All parts of one call. */
export async function streamedParts(
  model: LanguageModelV3,
  changes: Partial<LanguageModelV3CallOptions> = {}
): Promise<LanguageModelV3StreamPart[]> {
  const { stream } = await model.doStream(testCall(changes))
  return partsOf(stream)
}
