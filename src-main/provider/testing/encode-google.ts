// Owns a scripted turn in the words of Gemini's stream (`alt=sse`).
import { piecesOf, sse, toolCallIdOf, type EncodedCall, type ScriptedTurn } from './scripted-turn'

export function encodeGoogle(turn: ScriptedTurn, call: EncodedCall): string[] {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = call.usage
  const usageMetadata = {
    promptTokenCount: inputTokens + cacheReadTokens + cacheWriteTokens,
    cachedContentTokenCount: cacheReadTokens,
    candidatesTokenCount: outputTokens - reasoningTokens,
    thoughtsTokenCount: reasoningTokens,
    totalTokenCount: inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens
  }
  const chunk = (parts: readonly object[], finishReason?: string): string =>
    sse({
      candidates: [
        { content: { parts, role: 'model' }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }
      ],
      usageMetadata,
      modelVersion: call.model,
      responseId: call.id
    })
  const pieces = (text: string) => piecesOf(text, turn.delivery?.pieceChars)
  const seal = turn.thinking === undefined ? {} : { thoughtSignature: call.seal }
  return [
    ...pieces(turn.thinking ?? '').map((text) => chunk([{ text, thought: true }])),
    ...pieces([turn.text, typeof turn.refusal === 'string' ? turn.refusal : ''].join('')).map((text) =>
      chunk([{ text }])
    ),
    ...(turn.toolCalls ?? []).map((tool, position) =>
      chunk([
        {
          functionCall: { id: toolCallIdOf(tool, position, call.id), name: tool.name, args: tool.input },
          ...(position === 0 ? seal : {})
        }
      ])
    ),
    chunk([{ text: '' }], turn.refusal !== undefined ? 'SAFETY' : turn.cutAtLimit === true ? 'MAX_TOKENS' : 'STOP')
  ]
}
