// Owns the demo provider's model, `demo:tide-1` (L-2): a LanguageModelV3 like any other to the app, but local,
// deterministic and without a network. Deciding is in decide.ts; here are limits, streaming and counting.
import { randomUUID } from 'node:crypto'
import { APICallError } from '@ai-sdk/provider'
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage
} from '@ai-sdk/provider'
import { DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS } from '@common/constants'
import type { AbortLike } from '@common/clock'
import { systemClock } from '../../files/system-clock'
import { DEMO_MODEL_ID } from '../model-registry'
import { decide } from './decide'
import { answerParts } from './answer-parts'
import { streamOf } from './demo-stream'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens'

export interface DemoModelOptions {
  /** Waits between two pieces of a streamed answer; rejects when the signal aborts. */
  sleep?(delayMs: number, abortSignal?: AbortLike): Promise<void>
  /** Milliseconds between two pieces; 0 never waits. */
  readonly paceMs?: number
  /** Makes the part of a tool call's id that is never used twice. */
  newId?(): string
}

/** About as fast as a hosted model writes. */
const DEFAULT_PACE_MS = 8

export function createDemoModel(options: DemoModelOptions = {}): LanguageModelV3 {
  const { sleep = systemClock.sleep, paceMs = DEFAULT_PACE_MS, newId = () => randomUUID().slice(0, 13) } = options

  const answer = (call: LanguageModelV3CallOptions): DemoAnswer => {
    if (call.abortSignal?.aborted === true) throw call.abortSignal.reason
    const promptTokens = estimatePromptTokens(call.prompt, call.tools ?? [])
    if (promptTokens > DEMO_CONTEXT_LIMIT) throw tooLong(promptTokens)
    const maxTokens = Math.min(
      call.maxOutputTokens ?? DEMO_MAX_OUTPUT_TOKENS,
      DEMO_MAX_OUTPUT_TOKENS,
      DEMO_CONTEXT_LIMIT - promptTokens
    )
    const { content, finishReason } = answerParts(decide(call), { thinks: thinks(call), maxTokens, newId })
    return { content, finishReason, usage: usageOf(promptTokens, content) }
  }

  return {
    specificationVersion: 'v3',
    provider: 'demo',
    modelId: DEMO_MODEL_ID,
    supportedUrls: {},
    async doGenerate(call) {
      return { ...answer(call), warnings: [], response: { modelId: DEMO_MODEL_ID } }
    },
    async doStream(call) {
      const { content, finishReason, usage } = answer(call)
      const wait = paceMs > 0 ? () => sleep(paceMs, call.abortSignal) : null
      return { stream: streamOf({ content, finishReason, usage, modelId: DEMO_MODEL_ID }, wait, call.abortSignal) }
    }
  }
}

interface DemoAnswer {
  readonly content: LanguageModelV3Content[]
  readonly finishReason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
}

/** Thinking is on when the call's options for `demo` name a level other than off. */
function thinks({ providerOptions }: LanguageModelV3CallOptions): boolean {
  const level = providerOptions?.['demo']?.['thinking']
  return level !== undefined && level !== null && level !== false && level !== 'off'
}

/** Nothing is cached, so nothing is said to be. */
function usageOf(promptTokens: number, content: readonly LanguageModelV3Content[]): LanguageModelV3Usage {
  const tokensOf = (type: LanguageModelV3Content['type']): number =>
    content.filter((part) => part.type === type).reduce((sum, part) => sum + contentTokens(part), 0)
  const [text, reasoning] = [tokensOf('text') + tokensOf('tool-call'), tokensOf('reasoning')]
  return {
    inputTokens: { total: promptTokens, noCache: promptTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: text + reasoning, text, reasoning }
  }
}

function contentTokens(part: LanguageModelV3Content): number {
  if (part.type === 'text' || part.type === 'reasoning') return estimateTokens(part.text)
  return part.type === 'tool-call' ? estimateTokens(part.toolName) + estimateTokens(part.input) : 0
}

/** Says it as a hosted provider does, so that it is recognised in the same way. */
function tooLong(tokens: number): APICallError {
  const message = `prompt is too long: ${tokens} tokens > ${DEMO_CONTEXT_LIMIT} maximum`
  return new APICallError({
    message,
    url: `demo:${DEMO_MODEL_ID}`,
    requestBodyValues: {},
    statusCode: 400,
    responseHeaders: {},
    responseBody: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
    isRetryable: false
  })
}
