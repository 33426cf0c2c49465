// Owns the names of the tokenizers that we can run, and what stands in for one that is not public.
// Loads nothing: the main thread may import it.

/** Encodings that the counter runs exactly. */
export type EncodingName = 'o200k_base' | 'cl100k_base'

/** Where a model's tokenizer is not public, this one stands in (P-3). */
const STAND_IN: EncodingName = 'o200k_base'

export interface ResolvedEncoding {
  readonly encoding: EncodingName
  /** True where a stand-in counts, so that figures are shown as estimates. */
  readonly estimated: boolean
}

/** The encoding that counts for a name out of the model list, whatever that name is. */
export function resolveEncoding(name: string): ResolvedEncoding {
  if (name === 'o200k_base' || name === 'cl100k_base') return { encoding: name, estimated: false }
  return { encoding: STAND_IN, estimated: true }
}
