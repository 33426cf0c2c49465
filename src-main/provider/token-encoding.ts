// Owns which tokenizer counts for a model. OpenAI publishes its own; for all others o200k_base stands in,
// and every count by a stand-in is marked as an estimate (P-3).

export interface TokenEncoding {
  readonly encoding: 'o200k_base' | 'cl100k_base'
  readonly encodingEstimated: boolean
}

/** OpenAI's models before GPT-4o (tiktoken's own table, 0.12). */
const CL100K = /^(?:gpt-4(?:-|$)(?!o)|gpt-3\.5|gpt-35|text-embedding)/
/** OpenAI's models since, its open ones among them. */
const O200K = /^(?:gpt-(?:4o|4\.\d|[5-9]|\d\d|oss)|chatgpt-|chat-latest|codex-|o[1-9](?:-|$))/

/** The tokenizer of a model id, which may carry its maker in front (`openai/gpt-5`). */
export function tokenEncodingOf(modelId: string): TokenEncoding {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase()
  if (CL100K.test(bare)) return { encoding: 'cl100k_base', encodingEstimated: false }
  return { encoding: 'o200k_base', encodingEstimated: !O200K.test(bare) }
}
