// Owns the OpenAI adapter: Responses API, nothing stored at the provider (`store: false`), reasoning kept in encrypted
// form in providerMetadata.openai (`itemId`, `reasoningEncryptedContent`), so that a replay needs no server state.
import type { JSONObject, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { NO_KEY_NEEDED, offeredLevel, type AdaptedModel, type AdapterSetup } from './provider-adapter'

const DEFAULT_BASE_URL = 'https://api.openai.com/v1'

export async function adaptOpenAi(setup: AdapterSetup): Promise<AdaptedModel> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const provider = createOpenAI({
    baseURL: setup.baseUrl ?? DEFAULT_BASE_URL,
    apiKey: setup.apiKey ?? NO_KEY_NEEDED,
    headers: { ...setup.headers },
    fetch: setup.fetch
  })
  return {
    model: provider.responses(setup.modelId),
    providerOptions: (thinking, promptCacheKey) => optionsOf(setup, thinking, promptCacheKey),
    supportsCacheMarks: false
  }
}

function optionsOf(setup: AdapterSetup, thinking: ThinkingLevel, promptCacheKey?: string): SharedV3ProviderOptions {
  const openai: JSONObject = { store: false }
  if (promptCacheKey !== undefined) openai['promptCacheKey'] = promptCacheKey
  const level = offeredLevel(setup.info, thinking)
  if (level === null) return { openai }
  openai['reasoningEffort'] = level === 'off' ? leastEffortOf(setup.modelId) : level
  if (level !== 'off') openai['reasoningSummary'] = 'auto'
  // The SDK asks for encrypted reasoning only from the models that it knows.
  openai['include'] = ['reasoning.encrypted_content']
  return { openai }
}

/** The least a model can be asked to think: `none` since GPT-5.1, `minimal` for GPT-5, `low` for the others. */
function leastEffortOf(modelId: string): string {
  if (/^gpt-5(?:-(?:mini|nano))?(?:-\d{4}-\d{2}-\d{2})?$/.test(modelId)) return 'minimal'
  if (/^gpt-5\.\d+(?!.*(?:codex|pro))/.test(modelId)) return 'none'
  return 'low'
}
