// Owns reading a page of numbered lines from an open file in bounded memory, however large the file or a line.
import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { SCAN_STEP_BYTES } from '@common/constants'
import { jsonBytes } from './json-bytes'

export interface LineRequest {
  /** From 1. */
  readonly firstLine: number
  readonly maxLines: number
  /** Bytes that the lines may take inside a JSON string. */
  readonly maxJsonBytes: number
  readonly maxLineBytes: number
  /** A longer line is cut, or goes on as the next numbered line. */
  readonly longLines: 'cut' | 'wrap'
  /** Lines behind the page are counted up to this many bytes from the start of the file. */
  readonly countWithinBytes: number
  readonly abortSignal: AbortSignal
  /** Given every chunk that was read; it is overwritten by the next. */
  onChunk?(chunk: Buffer): void
}

export interface LinePage {
  /** `number<TAB>text`, without the line feed, a carriage return kept. */
  readonly lines: string[]
  /** Null when the file was not read to its end. */
  readonly totalLines: number | null
  readonly cutLines: number
  readonly stoppedBySize: boolean
  readonly hasBom: boolean
  readonly hasCrlf: boolean
  readonly hasInvalidUtf8: boolean
}

const LINE_FEED = 0x0a
const decoder = new TextDecoder('utf-8')

/** Reads from the current position of the handle. Rejects with the signal's reason when aborted. */
export async function readLines(handle: FileHandle, request: LineRequest): Promise<LinePage> {
  const page = new PageBuilder(request)
  const step = Buffer.allocUnsafe(SCAN_STEP_BYTES)
  let readBytes = 0
  for (;;) {
    request.abortSignal.throwIfAborted()
    const { bytesRead } = await handle.read(step, 0, step.length, null)
    if (bytesRead === 0) return page.finish(true)
    readBytes += bytesRead
    request.onChunk?.(step.subarray(0, bytesRead))
    page.push(step.subarray(0, bytesRead))
    if (page.full && readBytes >= request.countWithinBytes) return page.finish(false)
  }
}

class PageBuilder {
  readonly #request: LineRequest
  readonly #line: Buffer
  readonly #lines: string[] = []
  #lineUsed = 0
  #lineDropped = 0
  #number = 0
  #jsonBytes = 0
  #cutLines = 0
  #stoppedBySize = false
  #hasBom = false
  #hasCrlf = false
  #hasInvalidUtf8 = false

  constructor(request: LineRequest) {
    this.#request = request
    this.#line = Buffer.allocUnsafe(request.maxLineBytes)
  }

  get full(): boolean {
    return this.#stoppedBySize || this.#lines.length >= this.#request.maxLines
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#extend(chunk.subarray(start, end))
      this.#endLine()
      start = end + 1
    }
    this.#extend(chunk.subarray(start))
  }

  finish(atEnd: boolean): LinePage {
    if (atEnd && (this.#lineUsed > 0 || this.#lineDropped > 0)) this.#endLine()
    return {
      lines: this.#lines,
      totalLines: atEnd ? this.#number : null,
      cutLines: this.#cutLines,
      stoppedBySize: this.#stoppedBySize,
      hasBom: this.#hasBom,
      hasCrlf: this.#hasCrlf,
      hasInvalidUtf8: this.#hasInvalidUtf8
    }
  }

  #extend(bytes: Buffer): void {
    let rest = bytes
    while (rest.length > 0) {
      if (this.#lineUsed === this.#line.length) {
        if (this.#request.longLines === 'cut') {
          this.#lineDropped += rest.length
          return
        }
        this.#wrap()
      }
      const taken = rest.copy(this.#line, this.#lineUsed)
      this.#lineUsed += taken
      rest = rest.subarray(taken)
    }
  }

  #wrap(): void {
    const end = wholeEnd(this.#line)
    this.#emit(this.#line.subarray(0, end), '')
    this.#line.copyWithin(0, end)
    this.#lineUsed = this.#line.length - end
  }

  #endLine(): void {
    const dropped = this.#lineDropped
    const end = dropped > 0 ? wholeEnd(this.#line) : this.#lineUsed
    this.#emit(this.#line.subarray(0, end), dropped > 0 ? ` [… ${dropped + this.#lineUsed - end} more bytes]` : '')
    this.#lineUsed = 0
    this.#lineDropped = 0
  }

  #emit(bytes: Buffer, suffix: string): void {
    this.#number++
    if (this.#number < this.#request.firstLine || this.full) return
    // The decoder drops a byte order mark, at the start of any line: only that of the file is one.
    const isBom = this.#number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const text = isBom ? decoder.decode(bytes) : bytes.toString('utf8')
    const line = `${this.#number}\t${text}${suffix}`
    const cost = jsonBytes(line)
    if (this.#jsonBytes + cost > this.#request.maxJsonBytes && this.#lines.length > 0) {
      this.#stoppedBySize = true
      return
    }
    this.#jsonBytes += cost
    this.#lines.push(line)
    if (suffix !== '') this.#cutLines++
    this.#hasBom ||= isBom
    this.#hasCrlf ||= text.endsWith('\r')
    this.#hasInvalidUtf8 ||= !isUtf8(bytes)
  }
}

/** Where the last code point ends that lies whole inside `bytes`; the very end for bytes that are no UTF-8. */
export function wholeEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back < bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
