// Owns reading the lines of a file with a hash of each, in bounded memory: a line over the limit is hashed and
// measured without being held. Unlike `read-lines` it visits empty lines too: every byte belongs to one.
import { createHash, type Hash } from 'node:crypto'
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import type { FileSystem } from '../files/file-system'
import { lineHash, shortHashOf } from './line-hash'
import { NEWLINE } from './read-lines'

export interface HashedLine {
  readonly byteOffset: number
  /** Without the newline. */
  readonly byteCount: number
  readonly hash: Buffer
  /** The line itself, valid during the visit; null when it is over the line limit. */
  readonly bytes: Buffer | null
  /** False for a last line without its newline. */
  readonly isEnded: boolean
}

export interface HashVisitor {
  line(line: HashedLine): void
  /** Every chunk as it is read, for a hash of the whole. */
  chunk?(bytes: Buffer): void
}

/** Yields after each step, so that others can run. Reads `[from, to)`. Throws the system's error. */
export function* hashLines(
  fs: FileSystem,
  descriptor: number,
  { from, to }: { from: number; to: number },
  visitor: HashVisitor
): Generator<void, void, void> {
  let begun: BegunLine | null = null
  const step = Buffer.allocUnsafeSlow(Math.max(1, Math.min(SCAN_STEP_BYTES, to - from)))
  for (let at = from; at < to;) {
    const count = fs.read(descriptor, step, 0, Math.min(step.length, to - at), at)
    if (count === 0) break
    const chunk = step.subarray(0, count)
    visitor.chunk?.(chunk)
    let start = 0
    for (let newline = chunk.indexOf(NEWLINE); newline !== -1; newline = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, newline)
      if (begun === null) visitor.line(wholeLine(piece, at + start))
      else visitor.line(begun.end(piece, true))
      begun = null
      start = newline + 1
    }
    if (start < count) {
      begun ??= new BegunLine(at + start)
      begun.add(chunk.subarray(start))
    }
    at += count
    yield
  }
  if (begun !== null) visitor.line(begun.end(Buffer.alloc(0), false))
}

function wholeLine(bytes: Buffer, byteOffset: number): HashedLine {
  const isHeld = bytes.length <= MAX_LINE_BYTES
  return { byteOffset, byteCount: bytes.length, hash: lineHash(bytes), bytes: isHeld ? bytes : null, isEnded: true }
}

/** A line that goes on in the next step. */
class BegunLine {
  readonly #byteOffset: number
  readonly #hash: Hash = createHash('sha256')
  #pieces: Buffer[] = []
  #byteCount = 0

  constructor(byteOffset: number) {
    this.#byteOffset = byteOffset
  }

  add(piece: Buffer): void {
    this.#hash.update(piece)
    this.#byteCount += piece.length
    if (this.#byteCount > MAX_LINE_BYTES) this.#pieces = []
    else this.#pieces.push(Buffer.from(piece))
  }

  end(piece: Buffer, isEnded: boolean): HashedLine {
    this.add(piece)
    const isHeld = this.#byteCount <= MAX_LINE_BYTES
    return {
      byteOffset: this.#byteOffset,
      byteCount: this.#byteCount,
      hash: shortHashOf(this.#hash.digest()),
      bytes: isHeld ? Buffer.concat(this.#pieces) : null,
      isEnded
    }
  }
}
