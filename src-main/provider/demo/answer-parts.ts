// Owns turning a move into the parts of an answer within a number of output tokens. What does not fit is cut
// and said to be (`length`); a tool call is made whole or not at all.
import type { LanguageModelV3Content, LanguageModelV3FinishReason } from '@ai-sdk/provider'
import { estimateTokens } from './estimate-tokens'
import { type DemoMove, callMark } from './replay'
import { piecesOf } from './pieces'

export interface AnswerOptions {
  readonly thinks: boolean
  readonly maxTokens: number
  newId(): string
}

export function answerParts(
  move: DemoMove,
  { thinks, maxTokens, newId }: AnswerOptions
): { content: LanguageModelV3Content[]; finishReason: LanguageModelV3FinishReason } {
  const content: LanguageModelV3Content[] = []
  let left = maxTokens
  for (const [type, text] of [
    ['reasoning', thinks ? move.think : ''],
    ['text', move.text]
  ] as const) {
    const fitting = fit(text, left)
    if (fitting !== '') content.push({ type, text: fitting })
    if (fitting.length < text.length) return { content, finishReason: { unified: 'length', raw: 'max_tokens' } }
    left -= estimateTokens(fitting)
  }
  for (const call of move.calls) {
    const input = JSON.stringify(call.input)
    const tokens = estimateTokens(call.toolName) + estimateTokens(input)
    if (tokens > left) return { content, finishReason: { unified: 'length', raw: 'max_tokens' } }
    left -= tokens
    content.push({ type: 'tool-call', toolCallId: `demo_${callMark(call)}_${newId()}`, toolName: call.toolName, input })
  }
  const unified = move.calls.length > 0 ? 'tool-calls' : 'stop'
  return { content, finishReason: { unified, raw: unified } }
}

/** The longest beginning of `text` in whole pieces that takes at most `tokens`. */
function fit(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const pieces = piecesOf(text)
  let [fits, tooMany] = [0, pieces.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (estimateTokens(pieces.slice(0, middle).join('')) <= tokens) fits = middle
    else tooMany = middle
  }
  return pieces.slice(0, fits).join('')
}
