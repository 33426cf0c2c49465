// Owns a scripted turn in the words of Anthropic's Messages stream.
import { piecesOf, sse, toolCallIdOf, type EncodedCall, type ScriptedTurn } from './scripted-turn'

export function encodeAnthropic(turn: ScriptedTurn, call: EncodedCall): string[] {
  const events: string[] = []
  const send = (type: string, data: object): void => void events.push(sse({ type, ...data }, type))
  const pieces = (text: string) => piecesOf(text, turn.delivery?.pieceChars)
  let index = 0
  const block = (start: object, deltas: readonly object[]): void => {
    send('content_block_start', { index, content_block: start })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
    index++
  }
  const usage = {
    input_tokens: call.usage.inputTokens,
    cache_creation_input_tokens: call.usage.cacheWriteTokens,
    cache_read_input_tokens: call.usage.cacheReadTokens
  }
  send('message_start', {
    message: {
      id: `msg_${call.id}`,
      type: 'message',
      role: 'assistant',
      model: call.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 }
    }
  })
  send('ping', {})
  if (turn.thinking !== undefined)
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(turn.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: call.seal }
    ])
  const text = [turn.text, typeof turn.refusal === 'string' ? turn.refusal : undefined].join('')
  if (text !== '')
    block(
      { type: 'text', text: '' },
      pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))
    )
  for (const [position, tool] of (turn.toolCalls ?? []).entries())
    block(
      { type: 'tool_use', id: toolCallIdOf(tool, position, call.id), name: tool.name, input: {} },
      pieces(JSON.stringify(tool.input)).map((partial) => ({ type: 'input_json_delta', partial_json: partial }))
    )
  send('message_delta', {
    delta: { stop_reason: stopReasonOf(turn), stop_sequence: null },
    usage: {
      ...usage,
      output_tokens: call.usage.outputTokens,
      ...(call.usage.reasoningTokens > 0
        ? { output_tokens_details: { thinking_tokens: call.usage.reasoningTokens } }
        : {})
    }
  })
  send('message_stop', {})
  return events
}

function stopReasonOf(turn: ScriptedTurn): string {
  if (turn.refusal !== undefined) return 'refusal'
  if (turn.cutAtLimit === true) return 'max_tokens'
  return (turn.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn'
}
