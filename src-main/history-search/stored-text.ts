// Owns the text of a file that belongs to a row (a spill, a pasted text): read in pieces that end between characters,
// with marks that say which unit of the text stands at which byte. Such files never change once they are named.
import { SCAN_STEP_BYTES } from '@common/constants'
import { type FileSystem, OPEN_READ } from '../files/file-system'
import { type ScanBudget, takeBytes } from './scan-budget'

/** Unit `char` of the text begins at `byte` of the file. */
export interface TextMark {
  readonly byte: number
  readonly char: number
}

export interface TextPiece {
  readonly text: string
  readonly from: TextMark
  readonly to: TextMark
}

export class StoredText {
  readonly path: string
  readonly bytes: number
  readonly #fs: FileSystem
  /** Rising; the first is the beginning. */
  readonly #marks: TextMark[] = [{ byte: 0, char: 0 }]
  #chars: number | null

  constructor(fs: FileSystem, path: string, bytes: number) {
    this.#fs = fs
    this.path = path
    this.bytes = bytes
    this.#chars = bytes === 0 ? 0 : null
  }

  /** Units in all, null while nobody has come to the end. */
  get chars(): number | null {
    return this.#chars
  }

  /** The last known mark at or before this unit. */
  markBefore(char: number): TextMark {
    return this.#marks.findLast((mark) => mark.char <= char) ?? { byte: 0, char: 0 }
  }

  /** Takes over a mark from an earlier call that was made elsewhere; the caller vouches for it. */
  addMark(mark: TextMark): void {
    if (mark.byte > this.bytes || this.#marks.some(({ byte }) => byte === mark.byte)) return
    const at = this.#marks.findLastIndex(({ byte }) => byte < mark.byte)
    this.#marks.splice(at + 1, 0, mark)
  }

  /** Pieces from a mark on, until the end or until the budget is used up. Throws the system's error. */
  *pieces(from: TextMark, budget: ScanBudget): Generator<TextPiece, void, void> {
    if (from.byte >= this.bytes) return
    const descriptor = this.#fs.open(this.path, OPEN_READ)
    try {
      let at = from
      while (at.byte < this.bytes) {
        const wanted = takeBytes(budget, Math.min(SCAN_STEP_BYTES, this.bytes - at.byte))
        const piece = this.#read(descriptor, at, wanted)
        if (piece === null) return
        this.addMark(piece.to)
        if (piece.to.byte >= this.bytes) this.#chars = piece.to.char
        yield piece
        at = piece.to
      }
    } finally {
      this.#fs.close(descriptor)
    }
  }

  #read(descriptor: number, from: TextMark, wanted: number): TextPiece | null {
    const buffer = Buffer.allocUnsafe(wanted)
    let held = 0
    while (held < wanted) {
      const count = this.#fs.read(descriptor, buffer, held, wanted - held, from.byte + held)
      if (count === 0) break
      held += count
    }
    const isEnd = from.byte + held >= this.bytes
    const whole = isEnd ? held : wholeCharacters(buffer, held)
    if (whole === 0) return null
    const text = buffer.toString('utf8', 0, whole)
    return { text, from, to: { byte: from.byte + whole, char: from.char + text.length } }
  }
}

/** Bytes up to the last whole character. Bytes that are no UTF-8 may be parted anywhere: each is replaced alone. */
export function wholeCharacters(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? length - back : length
  }
  return length
}
