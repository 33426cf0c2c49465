// Owns the Google adapter: Gemini API. Thought signatures come back in providerMetadata.google.thoughtSignature,
// on text, reasoning and tool calls, and must be replayed unchanged.
import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { wrapModel } from './model-wrapper'
import { NO_KEY_NEEDED, offeredLevel, type AdaptedModel, type AdapterSetup } from './provider-adapter'
import { fitThinkingBudget, THINKING_BUDGET_TOKENS } from './thinking-budget'

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta'

/** Gemini 2.5 Pro cannot be kept from thinking; this is its least (Google's documentation, 2025). */
const LEAST_PRO_BUDGET_TOKENS = 128

export async function adaptGoogle(setup: AdapterSetup): Promise<AdaptedModel> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const provider = createGoogleGenerativeAI({
    baseURL: setup.baseUrl ?? DEFAULT_BASE_URL,
    apiKey: setup.apiKey ?? NO_KEY_NEEDED,
    headers: { ...setup.headers },
    fetch: setup.fetch
  })
  return {
    model: wrapModel(provider(setup.modelId), { call: fitBudget }),
    providerOptions: (thinking) => thinkingOptionsOf(setup, thinking),
    supportsCacheMarks: false
  }
}

function thinkingOptionsOf(setup: AdapterSetup, thinking: ThinkingLevel): SharedV3ProviderOptions {
  const level = offeredLevel(setup.info, thinking)
  if (level === null) return {}
  const isPro = /gemini-[\d.]+-pro/.test(setup.modelId)
  if (/gemini-2\.5/.test(setup.modelId)) {
    const thinkingBudget = level === 'off' ? (isPro ? LEAST_PRO_BUDGET_TOKENS : 0) : THINKING_BUDGET_TOKENS[level]
    return { google: { thinkingConfig: { thinkingBudget, includeThoughts: level !== 'off' } } }
  }
  // Gemini 3 and later take a level; none of them can be kept from thinking, Flash goes lower than Pro.
  const thinkingLevel = level === 'off' ? (isPro ? 'low' : 'minimal') : level
  return { google: { thinkingConfig: { thinkingLevel, includeThoughts: level !== 'off' } } }
}

/** Thoughts count as output at Google: the budget must leave room for the answer. */
function fitBudget(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  const google = options.providerOptions?.['google']
  const config = google?.['thinkingConfig']
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return options
  const budget = config['thinkingBudget']
  if (typeof budget !== 'number' || budget <= LEAST_PRO_BUDGET_TOKENS) return options
  const thinkingBudget = fitThinkingBudget(budget, options.maxOutputTokens) ?? LEAST_PRO_BUDGET_TOKENS
  return {
    ...options,
    providerOptions: {
      ...options.providerOptions,
      google: { ...google, thinkingConfig: { ...config, thinkingBudget } }
    }
  }
}
