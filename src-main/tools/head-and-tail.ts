// Owns keeping the head and the tail of a text that is too long to be given whole, cut at line ends where there are any.
// Takes its bytes once, in bounded memory.
import { wholeEnd } from './read-lines'

export interface TextPieces {
  readonly head: string
  /** Null when the head is the whole text. */
  readonly tail: string | null
  /** Of the whole. */
  readonly lines: number
  readonly bytes: number
  /** First and last line of what is left out, from 1; of a single long line both name it. */
  readonly omitted: { readonly firstLine: number; readonly lastLine: number; readonly bytes: number } | null
}

const LINE_FEED = 0x0a
/** Share of the room that the tail gets: what a file begins with says more of it. */
const TAIL_SHARE = 0.25

export class HeadAndTail {
  readonly #maxBytes: number
  readonly #tailBytes: number
  /** The first `maxBytes`, so that a text that fits is there whole. */
  #head = Buffer.alloc(0)
  /** With one byte more, which tells whether the tail begins a line. */
  #tail = Buffer.alloc(0)
  #bytes = 0
  #lineFeeds = 0
  #endsLine = true

  /** Bytes that the pieces may take together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#tailBytes = Math.floor(maxBytes * TAIL_SHARE)
  }

  /** The chunk may be used again by the caller. */
  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#bytes += chunk.length
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.#lineFeeds++
    this.#endsLine = chunk.at(-1) === LINE_FEED
    const room = this.#maxBytes - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    const kept = this.#tailBytes + 1
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk.subarray(-kept)]).subarray(-kept))
  }

  finish(): TextPieces {
    const lines = this.#lineFeeds + (this.#endsLine ? 0 : 1)
    const whole = { lines, bytes: this.#bytes }
    if (this.#bytes <= this.#maxBytes) return { ...whole, head: this.#head.toString('utf8'), tail: null, omitted: null }
    const head = wholeLines(this.#head.subarray(0, this.#maxBytes - this.#tailBytes))
    const tail = linesFromStart(this.#tail)
    const firstLine = lineFeedsIn(head) + 1
    const lastLine = lines - lineFeedsIn(tail) - (this.#endsLine ? 0 : 1) + (startsLine(this.#tail, tail) ? 0 : 1)
    const omitted = { firstLine, lastLine, bytes: this.#bytes - head.length - tail.length }
    return { ...whole, head: head.toString('utf8'), tail: tail.toString('utf8'), omitted }
  }
}

/** Without a line that is cut; where there is no line end, without a character that is cut. */
function wholeLines(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LINE_FEED)
  return bytes.subarray(0, end === -1 ? wholeEnd(bytes) : end + 1)
}

/** Without the first byte, and without a line or a character that is cut. */
function linesFromStart(bytes: Buffer): Buffer {
  const start = bytes.indexOf(LINE_FEED)
  if (start !== -1 && start + 1 < bytes.length) return bytes.subarray(start + 1)
  let skipped = 1
  while (skipped < 4 && ((bytes[skipped] ?? 0) & 0xc0) === 0x80) skipped++
  return bytes.subarray(skipped)
}

function startsLine(kept: Buffer, tail: Buffer): boolean {
  return kept[kept.length - tail.length - 1] === LINE_FEED
}

function lineFeedsIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
