// Owns wrapping a model: the one place that knows which members a LanguageModelV3 has.
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'

export interface ModelChanges {
  /** Changes what is asked, of both ways to call. */
  readonly call?: (options: LanguageModelV3CallOptions) => LanguageModelV3CallOptions
  /** Changes, keeps or drops (null) a part of a stream. */
  readonly part?: (part: LanguageModelV3StreamPart) => LanguageModelV3StreamPart | null
}

/** The same model with its calls and its streamed parts changed. */
export function wrapModel(model: LanguageModelV3, changes: ModelChanges): LanguageModelV3 {
  const callOf = (options: LanguageModelV3CallOptions) => changes.call?.(options) ?? options
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(callOf(options)),
    doStream: async (options) => {
      const result = await model.doStream(callOf(options))
      if (changes.part === undefined) return result
      const stream = result.stream.pipeThrough(
        new TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart>({
          transform(part, controller) {
            const changed = changes.part?.(part) ?? null
            if (changed !== null) controller.enqueue(changed)
          }
        })
      )
      return { ...result, stream }
    }
  }
}
