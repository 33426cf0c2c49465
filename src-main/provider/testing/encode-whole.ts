// Owns a scripted turn as one JSON answer, for calls that do not stream (a connection test, say).
import { toolCallIdOf, type EncodedCall, type ScriptedTurn, type WireProtocol } from './scripted-turn'

/** The body of the answer in the words of the protocol. Thinking is left out: nothing that asks this way shows it. */
export function encodeWhole(turn: ScriptedTurn, call: EncodedCall, protocol: WireProtocol): string {
  return JSON.stringify(ENCODERS[protocol](turn, call))
}

const ENCODERS: Readonly<Record<WireProtocol, (turn: ScriptedTurn, call: EncodedCall) => object>> = {
  anthropic: (turn, call) => ({
    id: `msg_${call.id}`,
    type: 'message',
    role: 'assistant',
    model: call.model,
    content: [
      ...(turn.text === undefined ? [] : [{ type: 'text', text: turn.text }]),
      ...toolsOf(turn, call).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    ],
    stop_reason: hasTools(turn) ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: call.usage.inputTokens,
      cache_creation_input_tokens: call.usage.cacheWriteTokens,
      cache_read_input_tokens: call.usage.cacheReadTokens,
      output_tokens: call.usage.outputTokens
    }
  }),
  chat: (turn, call) => ({
    id: `chatcmpl-${call.id}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: call.model,
    choices: [
      {
        index: 0,
        finish_reason: hasTools(turn) ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: turn.text ?? '',
          tool_calls: toolsOf(turn, call).map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) }
          }))
        }
      }
    ],
    usage: { prompt_tokens: inputOf(call), completion_tokens: call.usage.outputTokens }
  }),
  responses: (turn, call) => ({
    id: `resp_${call.id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    model: call.model,
    output: [
      {
        type: 'message',
        id: `msg_${call.id}`,
        role: 'assistant',
        content: [{ type: 'output_text', text: turn.text ?? '', annotations: [] }]
      },
      ...toolsOf(turn, call).map(({ id, name, input }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(input)
      }))
    ],
    usage: { input_tokens: inputOf(call), output_tokens: call.usage.outputTokens }
  }),
  google: (turn, call) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: turn.text ?? '' },
            ...toolsOf(turn, call).map(({ name, input }) => ({ functionCall: { name, args: input } }))
          ]
        },
        finishReason: 'STOP'
      }
    ],
    usageMetadata: { promptTokenCount: inputOf(call), candidatesTokenCount: call.usage.outputTokens },
    modelVersion: call.model
  })
}

function toolsOf(turn: ScriptedTurn, call: EncodedCall): { id: string; name: string; input: unknown }[] {
  return (turn.toolCalls ?? []).map((tool, position) => ({
    id: toolCallIdOf(tool, position, call.id),
    name: tool.name,
    input: tool.input
  }))
}

function hasTools(turn: ScriptedTurn): boolean {
  return (turn.toolCalls ?? []).length > 0
}

function inputOf(call: EncodedCall): number {
  return call.usage.inputTokens + call.usage.cacheReadTokens + call.usage.cacheWriteTokens
}
