// Owns a scripted turn in the words of OpenAI's Responses stream.
import { piecesOf, sse, toolCallIdOf, type EncodedCall, type ScriptedTurn } from './scripted-turn'

export function encodeResponses(turn: ScriptedTurn, call: EncodedCall): string[] {
  const events: string[] = []
  const send = (type: string, data: object): void =>
    void events.push(sse({ type, sequence_number: events.length, ...data }, type))
  const pieces = (text: string) => piecesOf(text, turn.delivery?.pieceChars)
  const response = {
    id: `resp_${call.id}`,
    object: 'response',
    created_at: 1_790_000_000,
    model: call.model,
    output: []
  }
  let index = 0
  const item = (added: object, done: object, between: (outputIndex: number) => void): void => {
    send('response.output_item.added', { output_index: index, item: added })
    between(index)
    send('response.output_item.done', { output_index: index, item: { ...added, ...done } })
    index++
  }

  send('response.created', { response: { ...response, status: 'in_progress', usage: null } })
  send('response.in_progress', { response: { ...response, status: 'in_progress', usage: null } })
  if (turn.thinking !== undefined) sendReasoning(turn.thinking)
  const text = [turn.text, typeof turn.refusal === 'string' ? turn.refusal : undefined].join('')
  if (text !== '') sendMessage(text)
  for (const [position, tool] of (turn.toolCalls ?? []).entries()) {
    const id = `fc_${call.id}_${position}`
    const added = { type: 'function_call', id, call_id: toolCallIdOf(tool, position, call.id), name: tool.name }
    const input = JSON.stringify(tool.input)
    item({ ...added, arguments: '', status: 'in_progress' }, { arguments: input, status: 'completed' }, (at) => {
      for (const delta of pieces(input))
        send('response.function_call_arguments.delta', { item_id: id, output_index: at, delta })
      send('response.function_call_arguments.done', { item_id: id, output_index: at, arguments: input })
    })
  }
  sendEnd()
  return events

  function sendReasoning(thinking: string): void {
    const id = `rs_${call.id}`
    const summary = [{ type: 'summary_text', text: thinking }]
    item(
      { id, type: 'reasoning', encrypted_content: '', summary: [] },
      { encrypted_content: call.seal, summary },
      (at) => {
        const place = { item_id: id, output_index: at, summary_index: 0 }
        send('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
        for (const delta of pieces(thinking)) send('response.reasoning_summary_text.delta', { ...place, delta })
        send('response.reasoning_summary_text.done', { ...place, text: thinking })
        send('response.reasoning_summary_part.done', { ...place, part: summary[0] })
      }
    )
  }

  function sendMessage(text: string): void {
    const id = `msg_${call.id}`
    const refused = typeof turn.refusal === 'string'
    const content = refused ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }
    item(
      { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
      { status: 'completed', content: [content] },
      (at) => {
        const place = { item_id: id, output_index: at, content_index: 0 }
        send('response.content_part.added', { ...place, part: { ...content, text: '' } })
        for (const delta of pieces(text))
          send(refused ? 'response.refusal.delta' : 'response.output_text.delta', { ...place, delta })
        send(refused ? 'response.refusal.done' : 'response.output_text.done', { ...place, text, refusal: text })
        send('response.content_part.done', { ...place, part: content })
      }
    )
  }

  function sendEnd(): void {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = call.usage
    const allInput = inputTokens + cacheReadTokens + cacheWriteTokens
    const usage = {
      input_tokens: allInput,
      input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: allInput + outputTokens
    }
    const reason = turn.refusal === true ? 'content_filter' : turn.cutAtLimit === true ? 'max_output_tokens' : undefined
    const status = reason === undefined ? 'completed' : 'incomplete'
    const details = reason === undefined ? null : { reason }
    send(`response.${status}`, { response: { ...response, status, incomplete_details: details, usage } })
  }
}
