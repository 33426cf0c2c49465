// Owns the form of what the byte filter looks for: bytes, each with an alternative (the other case of a letter).

/** Eight patterns at most stand in one filter; a bit each. */
export const MAX_PATTERNS = 8
export const MAX_PATTERN_BYTES = 128

export interface BytePattern {
  readonly bytes: Uint8Array
  /** As long as `bytes`; the same byte where there is no other form of it. */
  readonly alternatives: Uint8Array
}

/** A pattern that is found only exactly as it is written. */
export function exactPattern(text: string): BytePattern {
  const bytes = Buffer.from(text)
  return { bytes, alternatives: bytes }
}

/** Bytes that are frequent in rows, the most frequent first: a mark of others is met less often by chance. */
const FREQUENT = Buffer.from(' etaoinsrlcdupmh"\\,:.f/gt_ybv-w1023456789x(){}k;=*ASETICRNODLPM[]#$|q>j<z`\'+&')

/** Where the rarest `length` neighbours of the pattern begin; 0 for one that is not longer. */
export function rarestMark({ bytes }: BytePattern, length: number): number {
  let [best, bestRarity] = [0, -1]
  for (let at = 0; at + length <= bytes.length; at++) {
    let rarity = 0
    for (const byte of bytes.subarray(at, at + length)) rarity += rarityOf(byte)
    if (rarity > bestRarity) [best, bestRarity] = [at, rarity]
  }
  return best
}

/** Rough: higher is rarer. */
export function rarityOf(byte: number): number {
  const place = FREQUENT.indexOf(byte)
  return place === -1 ? FREQUENT.length : place
}
