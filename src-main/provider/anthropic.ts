// Owns the Anthropic adapter: Messages API, thinking by effort (Claude 4.6 and later) or by budget (earlier, and other
// makers' models behind this API). Signatures come back in providerMetadata.anthropic and must be replayed unchanged.
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { wrapModel } from './model-wrapper'
import { NO_KEY_NEEDED, offeredLevel, type AdaptedModel, type AdapterSetup } from './provider-adapter'
import { fitThinkingBudget, THINKING_BUDGET_TOKENS } from './thinking-budget'

const DEFAULT_BASE_URL = 'https://api.anthropic.com/v1'

/** Claude models that think by budget: everything up to 4.5. Later ones reject or deprecate budgets. */
const BUDGET_MODELS = /claude-(?:instant|v?[123](?![\d])|(?:opus|sonnet|haiku)-4(?:-[0-5](?!\d)|-\d{8}|@|$))/

/** Claude 4.6 shows its thoughts by itself; from 4.7 on they are empty unless a summary is asked for. */
const SHOWS_THOUGHTS = /claude-(?:opus|sonnet)-4-6/

/** Event types of the Messages API as of 2026; the API adds new ones and asks clients to pass over them. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error'
])

export async function adaptAnthropic(setup: AdapterSetup): Promise<AdaptedModel> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const provider = createAnthropic({
    baseURL: setup.baseUrl ?? DEFAULT_BASE_URL,
    apiKey: setup.apiKey ?? NO_KEY_NEEDED,
    headers: { ...setup.headers },
    fetch: setup.fetch
  })
  return {
    model: wrapModel(provider(setup.modelId), { call: fitBudget, part: passOverUnknownEvents }),
    providerOptions: (thinking) => thinkingOptionsOf(setup, thinking),
    supportsCacheMarks: true
  }
}

function thinkingOptionsOf(setup: AdapterSetup, thinking: ThinkingLevel): SharedV3ProviderOptions {
  const level = offeredLevel(setup.info, thinking)
  if (level === null) return {}
  const byBudget = !setup.modelId.includes('claude-') || BUDGET_MODELS.test(setup.modelId)
  if (level === 'off' && byBudget) return {}
  const canStop = setup.info.thinkingLevels.includes('off')
  if (level === 'off' && canStop) return { anthropic: { thinking: { type: 'disabled' } } }
  // A model that cannot stop thinking is asked for the least.
  const effort = level === 'off' ? 'low' : level
  if (byBudget) {
    const budgetTokens = fitThinkingBudget(THINKING_BUDGET_TOKENS[effort], setup.info.maxOutputTokens ?? undefined)
    return budgetTokens === null ? {} : { anthropic: { thinking: { type: 'enabled', budgetTokens } } }
  }
  const display = SHOWS_THOUGHTS.test(setup.modelId) ? {} : { display: 'summarized' }
  return { anthropic: { thinking: { type: 'adaptive', ...display }, effort } }
}

/**
 * The SDK adds a thinking budget to `maxOutputTokens`, which breaks the promise that input and output fit the limit:
 * here the budget is taken out of it, or thinking is left out of a call that has no room for it.
 */
function fitBudget(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  const { maxOutputTokens } = options
  const anthropic = options.providerOptions?.['anthropic']
  const thinking = anthropic?.['thinking']
  if (maxOutputTokens === undefined || !isBudgetThinking(thinking)) return options
  const budgetTokens = fitThinkingBudget(thinking.budgetTokens, maxOutputTokens)
  if (budgetTokens === null) {
    const { thinking: _, ...rest } = anthropic ?? {}
    return { ...options, providerOptions: { ...options.providerOptions, anthropic: rest } }
  }
  return {
    ...options,
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: {
      ...options.providerOptions,
      anthropic: { ...anthropic, thinking: { ...thinking, budgetTokens } }
    }
  }
}

function isBudgetThinking(value: unknown): value is { type: 'enabled'; budgetTokens: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'budgetTokens' in value &&
    typeof value.budgetTokens === 'number' &&
    'type' in value &&
    value.type === 'enabled'
  )
}

/** The SDK reports an event of a type that it does not know as an error of the whole stream. */
function passOverUnknownEvents(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart | null {
  if (part.type !== 'error' || !(part.error instanceof Error) || part.error.name !== 'AI_TypeValidationError')
    return part
  const value: unknown = 'value' in part.error ? part.error.value : undefined
  const type: unknown = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  return typeof type === 'string' && !KNOWN_EVENTS.has(type) ? null : part
}
