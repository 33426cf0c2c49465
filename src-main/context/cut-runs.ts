// Owns how a text is cut before a tokenizer sees it: chunks of 4 096 characters, and inside them runs of one
// character class at 256 bytes, since BPE libraries are quadratic in the length of an unbroken run.
// Pure, one linear pass; parts joined give the text again, and no part ends inside a code point.
import { COUNTING_CHUNK_CHARS, COUNTING_MAX_RUN_BYTES } from '@common/constants'

export interface CutText {
  /** In order; a text that needs no cut is its only part. */
  readonly parts: readonly string[]
  /** Chunks that the text fills, at least 1: what slack is charged for. */
  readonly chunks: number
}

const LETTER = 1
const SPACE = 2
/** Splitters take at most three digits at once, so digits never make a long run. */
const DIGIT = 3
const OTHER = 4
/** Goes on with whatever run it stands in: encodings differ on marks, Unicode versions on new characters. */
const ANY = 5

/** Class of each code point, 0 where it was not asked for yet. */
const CLASS_OF = new Uint8Array(0x110000)

/** Cuts `text` into parts that a tokenizer counts in time linear in the length of the text. */
export function cutText(text: string): CutText {
  const parts: string[] = []
  let chunks = 1
  let partStart = 0
  let chunkStart = 0
  let runClass = 0
  let runBytes = 0
  for (let at = 0; at < text.length;) {
    const codePoint = text.codePointAt(at) ?? 0
    const length = codePoint > 0xffff ? 2 : 1
    const bytes = utf8BytesOf(codePoint)
    const characterClass = CLASS_OF[codePoint] || classify(codePoint)
    if (characterClass === DIGIT || (characterClass !== runClass && characterClass !== ANY)) {
      runClass = characterClass
      runBytes = 0
    }
    runBytes += bytes
    const chunkIsFull = at + length - chunkStart > COUNTING_CHUNK_CHARS
    if (chunkIsFull || runBytes > COUNTING_MAX_RUN_BYTES) {
      parts.push(text.slice(partStart, at))
      partStart = at
      runBytes = bytes
      if (chunkIsFull) {
        chunkStart = at
        chunks++
      }
    }
    at += length
  }
  parts.push(partStart === 0 ? text : text.slice(partStart))
  return { parts, chunks }
}

/** Bytes of a code point in UTF-8; a lone surrogate is written as U+FFFD, three bytes. */
function utf8BytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  const found = classOf(character)
  CLASS_OF[codePoint] = found
  return found
}

/** White_Space, not `\s`: tokenizers follow the Unicode property, which differs at U+0085 and U+FEFF. */
function classOf(character: string): number {
  if (/^\p{L}$/u.test(character)) return LETTER
  if (/^\p{White_Space}$/u.test(character)) return SPACE
  if (/^\p{N}$/u.test(character)) return DIGIT
  return /^[\p{M}\p{Cn}]$/u.test(character) ? ANY : OTHER
}
