// Owns the prompt-cache marks (L-4): system, tools, the window's first message, the last message.
// Marks are put on copies at the last moment; the prompt that is hashed and compared never holds any.
import type { LanguageModelV3FunctionTool, LanguageModelV3Message, SharedV3ProviderOptions } from '@ai-sdk/provider'

/** Anthropic takes at most four marks a request; these are the four. */
const MARK: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/**
 * The same request with cache marks for a provider that reads them (`supportsCacheMarks`).
 * The last tool closes the schemas; the last message moves, and what stood before it is found again.
 */
export function withCacheMarks(
  messages: readonly LanguageModelV3Message[],
  tools: readonly LanguageModelV3FunctionTool[]
): { messages: LanguageModelV3Message[]; tools: LanguageModelV3FunctionTool[] } {
  const systemAt = messages.findIndex((message) => message.role === 'system')
  const firstAt = messages.findIndex((message) => message.role !== 'system')
  const marked = new Set([systemAt, firstAt, messages.length - 1])
  return {
    messages: messages.map((message, index) => (marked.has(index) ? markMessage(message) : message)),
    tools: tools.map((tool, index) =>
      index === tools.length - 1 ? { ...tool, providerOptions: { ...tool.providerOptions, ...MARK } } : tool
    )
  }
}

function markMessage(message: LanguageModelV3Message): LanguageModelV3Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...MARK } }
}
