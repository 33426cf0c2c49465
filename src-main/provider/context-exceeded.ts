// Owns how "the request is too long" is recognised: every provider says it in its own words.
// Collected from the providers' documents and servers' sources, 2025 to 2026.

const TOO_LONG: readonly RegExp[] = [
  // Anthropic, also Bedrock
  /prompt is too long/i,
  /input length and `?max_tokens`? exceed context limit/i,
  /input is too long for requested model/i,
  /request_too_large|request exceeds the maximum (?:allowed )?(?:size|number of bytes)/i,
  // OpenAI, Azure, DeepSeek, Groq, Mistral, OpenRouter, vLLM
  /context_length_exceeded|string_above_max_length/i,
  /maximum (?:context|prompt|model) length/i,
  /exceeds? (?:the |this model'?s |its )?(?:maximum )?context (?:window|length|size|limit)/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  /request too large/i,
  // Google
  /input token count.*(?:exceeds|but model only supports)/i,
  // Ollama, llama.cpp, LM Studio, text-generation-inference
  /input length exceeds (?:the )?(?:maximum )?context/i,
  /exceed_context_size_error|exceeds the available context size|context size has been exceeded/i,
  /loaded with context length of only|greater than the context length|context the overflows/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be <=/i,
  // MiniMax, Moonshot, Z.ai
  /context window exceeds limit|exceeded model token limit|prompt exceeds max length/i,
  /too many tokens in (?:the )?(?:prompt|request|input)/i
]

/** Does an error's text say that the request was too long for the model? */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.some((pattern) => pattern.test(text))
}

/** The tokens of the request and the model's limit, where the text names both. */
export function lengthsIn(text: string): { readonly tokens: number; readonly limit: number } | null {
  const pairs: readonly (readonly [RegExp, 'tokens-first' | 'limit-first'])[] = [
    [/(\d[\d,]*) tokens? > (\d[\d,]*)/, 'tokens-first'],
    [
      /token count \(?(?:is )?(\d[\d,]*)\)? (?:exceeds the maximum number of tokens allowed \(|but model only supports up to )(\d[\d,]*)/i,
      'tokens-first'
    ],
    [/"n_prompt_tokens":\s*(\d+).*"n_ctx":\s*(\d+)/s, 'tokens-first'],
    [
      /maximum (?:context|prompt) length (?:is|of) (\d[\d,]*).*?(?:resulted in|requested(?: about)?|contains|request has) (\d[\d,]*)/is,
      'limit-first'
    ]
  ]
  for (const [pattern, order] of pairs) {
    const match = pattern.exec(text)
    if (match === null) continue
    const [first, second] = [match[1], match[2]].map((digits) => Number((digits ?? '').replaceAll(',', '')))
    if (first === undefined || second === undefined) continue
    return order === 'tokens-first' ? { tokens: first, limit: second } : { tokens: second, limit: first }
  }
  return null
}
