// Owns what of a query can be looked for in raw bytes: the longest run of characters that every spelling of the query
// in a stored line must hold, unless the line spells one of them by an escape. Sound, never complete: it may let a
// line pass that has no match, never hold back one that has.
import { type BytePattern, exactPattern, rarityOf } from './byte-pattern'
import { foldVariants } from './fold-variants'

export interface QueryNeedle {
  /** Null when the query has no such run: every line must be parsed. */
  readonly run: BytePattern | null
  /** Other spellings of the run's letters and signs: a line that holds one must be parsed. At most `MAX_OTHERS`. */
  readonly others: readonly BytePattern[]
  /** Says of a line with an escape `\u` whether it may spell a character of the run. */
  readonly maySpell: (text: string) => boolean
}

/** What is left of a filter's patterns beside the run, escapes, spills, attachments and boundaries. */
export const MAX_OTHERS = 3
/** Longer runs are rare enough with this much of them. */
const MAX_RUN_BYTES = 64

/** Escapes for what is printable in ASCII, and for the two letters outside of it that are the same as k and s. */
const ASCII_ESCAPE = /\\u(?:00[2-7][0-9a-f]|212a|017f)/i

interface Piece {
  readonly bytes: readonly number[]
  readonly alternatives: readonly number[]
  readonly others: readonly string[]
  readonly isAscii: boolean
}

/** The needle of a query. */
export function needleOf(query: string): QueryNeedle {
  let best: Piece[] = []
  let run: Piece[] = []
  const settle = (): void => {
    if (weightOf(run) > weightOf(best)) best = run
    run = []
  }
  for (const character of query) {
    const piece = pieceOf(character)
    if (piece === null) settle()
    else {
      if (othersOf([...run, piece]).length > MAX_OTHERS || bytesOf([...run, piece]).length > MAX_RUN_BYTES) settle()
      run.push(piece)
    }
  }
  settle()
  if (best.length === 0) return { run: null, others: [], maySpell: () => true }
  const isAscii = best.every((piece) => piece.isAscii)
  return {
    run: {
      bytes: Uint8Array.from(bytesOf(best)),
      alternatives: Uint8Array.from(best.flatMap(({ alternatives }) => alternatives))
    },
    others: othersOf(best).map(exactPattern),
    maySpell: isAscii ? (text) => ASCII_ESCAPE.test(text) : () => true
  }
}

/** Null for a character that JSON writes in another way, or whose cases differ in length. */
function pieceOf(character: string): Piece | null {
  const code = character.codePointAt(0) ?? 0
  // Quotes and backslashes are escaped in a string and plain in stored JSON; lone surrogates are always escaped.
  if (code < 0x20 || character === '"' || character === '\\' || (code >= 0xd800 && code <= 0xdfff)) return null
  const variants = foldVariants(character).map((text) => ({ text, bytes: [...Buffer.from(text)] }))
  const own = variants[0]?.bytes ?? []
  const sameLength = variants.filter(({ bytes }) => bytes.length === own.length)
  const alternatives = own.map((byte, at) => {
    const values = new Set(sameLength.map(({ bytes }) => bytes[at] ?? byte))
    values.delete(byte)
    return values.size > 1 ? null : ([...values][0] ?? byte)
  })
  if (alternatives.some((byte) => byte === null)) return null
  const others = variants.filter(({ bytes }) => bytes.length !== own.length).map(({ text }) => text)
  return {
    bytes: own,
    alternatives: alternatives.flatMap((byte) => (byte === null ? [] : [byte])),
    // Other programs may write a slash so.
    others: character === '/' ? ['\\/'] : others,
    isAscii: code < 0x80
  }
}

function bytesOf(run: readonly Piece[]): number[] {
  return run.flatMap(({ bytes }) => bytes)
}

function othersOf(run: readonly Piece[]): string[] {
  return [...new Set(run.flatMap(({ others }) => others))]
}

function weightOf(run: readonly Piece[]): number {
  return bytesOf(run).reduce((sum, byte) => sum + 1 + rarityOf(byte) / 16, 0)
}
