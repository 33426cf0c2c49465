// Owns streaming a finished answer piece by piece, at a pace, until it ends or is aborted.
import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage
} from '@ai-sdk/provider'
import type { AbortLike } from '@common/clock'
import { piecesOf } from './pieces'

export interface StreamedAnswer {
  readonly content: readonly LanguageModelV3Content[]
  readonly finishReason: LanguageModelV3FinishReason
  readonly usage: LanguageModelV3Usage
  readonly modelId: string
}

/** Parts are made when they are asked for; `wait` is called before each piece. An abort errors the stream with its reason. */
export function streamOf(
  answer: StreamedAnswer,
  wait: (() => Promise<void>) | null,
  abortSignal: AbortLike | undefined
): ReadableStream<LanguageModelV3StreamPart> {
  const parts = partsOf(answer)
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      const next = parts.next()
      if (next.done === true) {
        controller.close()
        return
      }
      if (wait !== null && next.value.type.endsWith('-delta')) await wait()
      if (abortSignal?.aborted === true) throw abortSignal.reason
      controller.enqueue(next.value)
    },
    cancel() {
      parts.return(undefined)
    }
  })
}

function* partsOf(answer: StreamedAnswer): Generator<LanguageModelV3StreamPart, void> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', modelId: answer.modelId }
  for (const [index, part] of answer.content.entries()) yield* contentParts(part, String(index))
  yield { type: 'finish', finishReason: answer.finishReason, usage: answer.usage }
}

function* contentParts(part: LanguageModelV3Content, id: string): Generator<LanguageModelV3StreamPart, void> {
  if (part.type === 'text' || part.type === 'reasoning') {
    const { type } = part
    yield { type: `${type}-start`, id }
    for (const delta of piecesOf(part.text)) yield { type: `${type}-delta`, id, delta }
    yield { type: `${type}-end`, id }
  } else if (part.type === 'tool-call') {
    yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName }
    for (const delta of piecesOf(part.input)) yield { type: 'tool-input-delta', id: part.toolCallId, delta }
    yield { type: 'tool-input-end', id: part.toolCallId }
    yield part
  }
}
