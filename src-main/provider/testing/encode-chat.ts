// Owns a scripted turn in the words of a Chat Completions stream.
import { piecesOf, sse, toolCallIdOf, type EncodedCall, type ScriptedTurn } from './scripted-turn'

export function encodeChat(turn: ScriptedTurn, call: EncodedCall): string[] {
  const events: string[] = []
  const chunk = (fields: object): void =>
    void events.push(
      sse({
        id: `chatcmpl-${call.id}`,
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model: call.model,
        ...fields
      })
    )
  const delta = (content: object, finish: string | null = null): void =>
    chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] })
  const pieces = (text: string) => piecesOf(text, turn.delivery?.pieceChars)

  delta({ role: 'assistant', content: '' })
  for (const piece of pieces(turn.thinking ?? '')) delta({ reasoning_content: piece })
  for (const piece of pieces(turn.text ?? '')) delta({ content: piece })
  if (typeof turn.refusal === 'string') for (const piece of pieces(turn.refusal)) delta({ refusal: piece })
  for (const [index, tool] of (turn.toolCalls ?? []).entries()) {
    const id = toolCallIdOf(tool, index, call.id)
    delta({ tool_calls: [{ index, id, type: 'function', function: { name: tool.name, arguments: '' } }] })
    for (const piece of pieces(JSON.stringify(tool.input)))
      delta({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  delta({}, finishReasonOf(turn))
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = call.usage
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens
  chunk({
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: outputTokens,
      total_tokens: promptTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cacheReadTokens },
      completion_tokens_details: { reasoning_tokens: reasoningTokens }
    }
  })
  events.push(sse('[DONE]'))
  return events
}

function finishReasonOf(turn: ScriptedTurn): string {
  if (turn.refusal === true) return 'content_filter'
  if (turn.cutAtLimit === true) return 'length'
  return (turn.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop'
}
