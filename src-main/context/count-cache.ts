// Owns what the counter remembers: tokens by encoding and text, least recently used out first.
// A map key of the same string object is found by identity, an equal one by content.
import type { EncodingName } from './encodings'

export class CountCache {
  readonly #maxChars: number
  readonly #counts: Record<EncodingName, Map<string, number>> = { o200k_base: new Map(), cl100k_base: new Map() }
  #chars = 0

  /** `maxChars`: characters of all remembered texts together, since the texts themselves are the memory. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** Tokens of a text counted before, which makes it the most recently used; undefined if not remembered. */
  get(text: string, encoding: EncodingName): number | undefined {
    const counts = this.#counts[encoding]
    const tokens = counts.get(text)
    if (tokens === undefined) return undefined
    counts.delete(text)
    counts.set(text, tokens)
    return tokens
  }

  /** Remembers a count. A text that alone is over the limit is not kept. */
  set(text: string, encoding: EncodingName, tokens: number): void {
    const counts = this.#counts[encoding]
    if (text.length > this.#maxChars || counts.has(text)) return
    counts.set(text, tokens)
    this.#chars += text.length
    while (this.#chars > this.#maxChars) this.#dropOldest(encoding)
  }

  /** The other encoding's texts go first: a model switch leaves them unused. */
  #dropOldest(current: EncodingName): void {
    const other = this.#counts[current === 'o200k_base' ? 'cl100k_base' : 'o200k_base']
    const counts = other.size > 0 ? other : this.#counts[current]
    const oldest = counts.keys().next().value
    if (oldest === undefined) return
    counts.delete(oldest)
    this.#chars -= oldest.length
  }
}
