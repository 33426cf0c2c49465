// Owns *test connection*: one tiny request to a model, and what came of it in a sentence.
import type { ProviderRegistry } from './provider-registry'

/** A connection that says nothing for this long is told as such; a person waits in front of it. */
const TEST_LIMIT_MS = 20_000
/** Enough for a word; some providers refuse less than 16. */
const TEST_OUTPUT_TOKENS = 16

/** Asks the model for one word. Never throws for what a provider does. */
export async function testProvider(
  registry: ProviderRegistry,
  modelRef: string
): Promise<{ works: boolean; message: string }> {
  const resolved = await registry.resolve(modelRef)
  if (!resolved.ok) return { works: false, message: resolved.error.message }
  const { model, info, classify } = resolved.value
  try {
    await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word: ready' }] }],
      maxOutputTokens: Math.min(TEST_OUTPUT_TOKENS, info.maxOutputTokens ?? TEST_OUTPUT_TOKENS),
      abortSignal: AbortSignal.timeout(TEST_LIMIT_MS)
    })
    return { works: true, message: `${info.name} answered.` }
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return {
        works: false,
        message: `${modelRef} did not answer within ${TEST_LIMIT_MS / 1000} s. Check the base URL and the network.`
      }
    }
    return { works: false, message: classify(error).message }
  }
}
