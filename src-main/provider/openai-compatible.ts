// Owns the adapter for Chat Completions: Ollama, LM Studio, vLLM, llama.cpp, OpenRouter, xAI and the like.
// Evens out what these servers do differently: reasoning counted beside the output, Gemini's thought signatures.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions
} from '@ai-sdk/provider'
import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import type { ThinkingLevel } from '@common/settings/settings-schema'
import { wrapModel } from './model-wrapper'
import { offeredLevel, type AdaptedModel, type AdapterSetup } from './provider-adapter'

/** Where Ollama listens unless told otherwise: the likeliest meaning of an entry without an address. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:11434/v1'

/** Fixed, whatever the entry is called: it names the keys in stored metadata. */
const SDK_NAME = 'openai-compatible'

type CompatibleUsage = Parameters<NonNullable<OpenAICompatibleProviderSettings['convertUsage']>>[0]

export async function adaptOpenAiCompatible(setup: AdapterSetup): Promise<AdaptedModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: SDK_NAME,
    baseURL: setup.baseUrl ?? DEFAULT_BASE_URL,
    ...(setup.apiKey === null ? {} : { apiKey: setup.apiKey }),
    headers: { ...setup.headers },
    fetch: setup.fetch,
    includeUsage: true,
    convertUsage: usageOfChat
  })
  return {
    model: wrapModel(provider(setup.modelId), {
      call: wordsForMediaInResults,
      part: signatureWhereItIsLookedFor
    }),
    providerOptions: (thinking) => thinkingOptionsOf(setup, thinking),
    supportsCacheMarks: false
  }
}

function thinkingOptionsOf(setup: AdapterSetup, thinking: ThinkingLevel): SharedV3ProviderOptions {
  const level = offeredLevel(setup.info, thinking)
  return level === null || level === 'off' ? {} : { openaiCompatible: { reasoningEffort: level } }
}

/** xAI counts reasoning beside `completion_tokens`, the others within; the total tells which (xAI's answers, 2026). */
function usageOfChat(usage: CompatibleUsage): LanguageModelV3Usage {
  const prompt = usage?.prompt_tokens ?? undefined
  const completion = usage?.completion_tokens ?? undefined
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? undefined
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined
  const isBeside =
    prompt !== undefined &&
    completion !== undefined &&
    (reasoning ?? 0) > 0 &&
    usage?.total_tokens === prompt + completion + (reasoning ?? 0)
  const output = isBeside ? completion + (reasoning ?? 0) : completion
  return {
    inputTokens: {
      total: prompt,
      noCache: prompt === undefined ? undefined : prompt - (cacheRead ?? 0),
      cacheRead,
      cacheWrite: undefined
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning
    }
  }
}

/** The SDK reads a thought signature back from `google`, but hands it out under the provider's own name. */
function signatureWhereItIsLookedFor(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart {
  if (part.type !== 'tool-call' || part.providerMetadata === undefined) return part
  const signature = Object.values(part.providerMetadata).find((fields) => 'thoughtSignature' in fields)?.[
    'thoughtSignature'
  ]
  return signature === undefined ? part : { ...part, providerMetadata: { google: { thoughtSignature: signature } } }
}

/**
 * A result of a tool is text here, and the SDK would spell a picture out in base64: thousands of tokens for what was
 * counted as one picture (P-3). The model is told what it does not see.
 */
function wordsForMediaInResults(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  const prompt = options.prompt.map((message) =>
    message.role === 'tool' ? { ...message, content: message.content.map(asText) } : message
  )
  return { ...options, prompt }
}

type ToolMessagePart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]

function asText(part: ToolMessagePart): ToolMessagePart {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const texts = part.output.value.map((item) => {
    if (item.type === 'text') return item.text
    const kind = 'mediaType' in item ? (item.mediaType ?? item.type) : item.type
    return `[${kind} left out: this endpoint takes only text as the result of a tool]`
  })
  return { ...part, output: { type: 'text', value: texts.join('\n') } }
}
