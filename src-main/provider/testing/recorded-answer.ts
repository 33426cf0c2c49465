// Owns reading a recording without the SDK: what text, thinking and counts the payloads hold. The yardstick that
// adapters, sessions and stored rows are measured with.
import type { WireProtocol } from './scripted-turn'

export interface RecordedAnswer {
  text: string
  thinking: string
  /** Null where the recorded answer compacted its own context: then the counts of several passes are summed. */
  contextTokens: number | null
  /** Reasoning included. */
  outputTokens: number
}

/** What the payloads say, read without the SDK. */
export function recordedAnswerOf(
  protocol: WireProtocol,
  payloads: readonly Readonly<Record<string, unknown>>[]
): RecordedAnswer {
  const recorded: RecordedAnswer = { text: '', thinking: '', contextTokens: 0, outputTokens: 0 }
  for (const payload of payloads) READERS[protocol](payload, recorded)
  return recorded
}

const READERS: Record<WireProtocol, (payload: Readonly<Record<string, unknown>>, recorded: RecordedAnswer) => void> = {
  anthropic(payload, recorded) {
    const delta = payload['delta']
    recorded.text += words(valueIn(delta, 'text')) + words(valueIn(delta, 'content'))
    recorded.thinking += words(valueIn(delta, 'thinking'))
    const usage = payload['type'] === 'message_start' ? valueIn(payload['message'], 'usage') : payload['usage']
    if (usage === undefined) return
    const input = valueIn(usage, 'input_tokens')
    if (input !== undefined)
      recorded.contextTokens =
        amount(input) +
        amount(valueIn(usage, 'cache_read_input_tokens')) +
        amount(valueIn(usage, 'cache_creation_input_tokens'))
    recorded.outputTokens = amount(valueIn(usage, 'output_tokens'))
    const passes = valueIn(usage, 'iterations')
    if (!Array.isArray(passes) || passes.length < 2) return
    recorded.contextTokens = null
    recorded.outputTokens = passes.reduce((sum: number, pass) => sum + amount(valueIn(pass, 'output_tokens')), 0)
  },
  chat(payload, recorded) {
    const delta = valueIn(valueIn(payload['choices'], '0'), 'delta')
    recorded.text += words(valueIn(delta, 'content'))
    recorded.thinking += words(valueIn(delta, 'reasoning_content'))
    const usage = payload['usage']
    if (usage === undefined || usage === null) return
    recorded.contextTokens = amount(valueIn(usage, 'prompt_tokens'))
    recorded.outputTokens = amount(valueIn(usage, 'total_tokens')) - recorded.contextTokens
  },
  responses(payload, recorded) {
    if (payload['type'] === 'response.output_text.delta') recorded.text += words(payload['delta'])
    if (payload['type'] === 'response.reasoning_summary_text.delta') recorded.thinking += words(payload['delta'])
    const usage = valueIn(payload['response'], 'usage')
    if (usage === undefined || usage === null) return
    recorded.contextTokens = amount(valueIn(usage, 'input_tokens'))
    recorded.outputTokens = amount(valueIn(usage, 'output_tokens'))
  },
  google(payload, recorded) {
    const parts = valueIn(valueIn(valueIn(payload['candidates'], '0'), 'content'), 'parts')
    for (const part of Array.isArray(parts) ? parts : [])
      recorded[valueIn(part, 'thought') === true ? 'thinking' : 'text'] += words(valueIn(part, 'text'))
    const usage = payload['usageMetadata']
    if (usage === undefined) return
    recorded.contextTokens = amount(valueIn(usage, 'promptTokenCount'))
    recorded.outputTokens =
      amount(valueIn(usage, 'candidatesTokenCount')) + amount(valueIn(usage, 'thoughtsTokenCount'))
  }
}

/** A field of anything, or undefined. */
export function valueIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function amount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
