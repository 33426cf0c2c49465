// Owns what the app knows of a model (L-3): the person's own words first, then the data file; what neither
// says stays unknown (G-2). Also which models are offered for a provider. Asks nobody; see fetch-model-ids.
import { DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS } from '@common/constants'
import { splitModelRef } from '@common/ids'
import type { ModelInfo } from '@common/models/model-info'
import { isOfficialHost, knownEndpointOf } from '@common/settings/provider-defaults'
import type { ModelOverride, ProviderEntry } from '@common/settings/provider-schema'
import { type KnownModel, knownModel, knownModels, type ModelList } from './model-data'
import { tokenEncodingOf } from './token-encoding'

export const DEMO_MODEL_ID = 'tide-1'

const DEMO: KnownModel = {
  id: DEMO_MODEL_ID,
  name: 'Tide 1 (demo)',
  contextLimit: DEMO_CONTEXT_LIMIT,
  maxOutputTokens: DEMO_MAX_OUTPUT_TOKENS,
  price: { input: 0, output: 0, cacheRead: null, cacheWrite: null },
  vision: false,
  thinkingLevels: ['off', 'low'],
  offered: true
}

/**
 * What is known of PROVIDER_ID:MODEL_ID on this entry. `available` says whether its provider has a key or
 * needs none. A reference without a colon names a model of the entry.
 */
export function modelInfoOf(modelRef: string, entry: ProviderEntry, available = true): ModelInfo {
  const modelId = splitModelRef(modelRef)?.modelId ?? modelRef
  const own: Partial<ModelOverride> = entry.models.find((model) => model.id === modelId) ?? {}
  const known = knownFor(entry, modelId)
  return {
    ref: `${entry.id}:${modelId}`,
    providerId: entry.id,
    modelId,
    name: own.name ?? known?.name ?? modelId,
    contextLimit: own.contextLimit ?? known?.contextLimit ?? null,
    maxOutputTokens: own.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    price: own.price ?? known?.price ?? null,
    ...(own.encoding === undefined ? tokenEncodingOf(modelId) : { encoding: own.encoding, encodingEstimated: false }),
    vision: own.vision ?? known?.vision ?? false,
    thinkingLevels: [...(own.thinkingLevels ?? known?.thinkingLevels ?? [])],
    fallbacks: [...(own.fallbacks ?? [])],
    available
  }
}

/** Asks an endpoint for its model ids; empty when it does not say (see model-id-cache). */
export type AskModelIds = (entry: ProviderEntry) => Promise<readonly string[]>

/**
 * All models to offer, provider by provider: what the person listed, then what an OpenAI-compatible endpoint
 * says it has, then the data file's current ones where the entry talks to the provider itself.
 */
export async function listModels(
  entries: readonly ProviderEntry[],
  isAvailable: (entry: ProviderEntry) => boolean,
  ask: AskModelIds = async () => []
): Promise<ModelInfo[]> {
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const available = isAvailable(entry)
      const said = entry.kind === 'openai-compatible' && available ? await ask(entry) : []
      const ids = new Set([...entry.models.map((model) => model.id), ...said, ...offeredIds(entry)])
      return [...ids].map((id) => modelInfoOf(`${entry.id}:${id}`, entry, available))
    })
  )
  return lists.flat()
}

function offeredIds(entry: ProviderEntry): string[] {
  if (entry.kind === 'demo') return [DEMO_MODEL_ID]
  if (entry.kind === 'openai-compatible' || !isOfficialHost(entry)) return []
  return [...knownModels(entry.kind).values()].filter((model) => model.offered).map((model) => model.id)
}

function knownFor(entry: ProviderEntry, modelId: string): KnownModel | null {
  if (entry.kind === 'demo') return modelId === DEMO_MODEL_ID ? DEMO : null
  const list = listOf(entry)
  return list === null ? null : knownModel(list, modelId)
}

/** A server of the person's own may run anything under any name, with limits of its own: nothing is known of it. */
function listOf(entry: ProviderEntry): ModelList | null {
  if (entry.kind === 'demo') return null
  if (entry.kind !== 'openai-compatible') return entry.kind
  const endpoint = knownEndpointOf(entry.baseUrl)
  return endpoint === null ? null : (endpoint.id as ModelList)
}
