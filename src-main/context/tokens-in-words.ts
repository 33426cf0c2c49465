// Owns how a number of tokens reads in a sentence.

/** `950`, `24k`, `1.2M`: rounded, since the figure is often an estimate. */
export function tokensInWords(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  // What would round to 1000k reads as 1M.
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
}
