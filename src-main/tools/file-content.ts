// Owns what a file's content is known by: a hash of the very bytes that were read, and the text of a short file.
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { SCAN_STEP_BYTES, SEEN_FILE_MAX_BYTES, SEEN_TEXT_MAX_BYTES } from '@common/constants'

/** The name of a content that is there whole. */
export function contentOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Takes the bytes of one file as they are read, from its beginning. */
export class ContentReader {
  readonly #stats: Stats
  readonly #hash = createHash('sha256')
  readonly #chunks: Buffer[] = []
  #bytes = 0

  readonly #onChunk: ((chunk: Buffer) => void) | null

  /** `stats` from before the first read; `onChunk` is given every chunk too. */
  constructor(stats: Stats, onChunk: ((chunk: Buffer) => void) | null = null) {
    this.#stats = stats
    this.#onChunk = onChunk
  }

  /** The chunk may be used again by the caller. */
  push(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.#onChunk?.(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= SEEN_TEXT_MAX_BYTES) this.#chunks.push(Buffer.from(chunk))
    else this.#chunks.length = 0
  }

  /** Reads what is left behind the handle's position; a file that is too large is known by its size and time. */
  async finish(handle: FileHandle, abortSignal?: AbortSignal): Promise<FileContent> {
    const { size, mtimeMs } = this.#stats
    const bySize = { content: `size:${size}@${mtimeMs}`, bytes: null }
    if (size > SEEN_FILE_MAX_BYTES) return bySize
    const step = Buffer.allocUnsafe(SCAN_STEP_BYTES)
    for (;;) {
      abortSignal?.throwIfAborted()
      const { bytesRead } = await handle.read(step, 0, step.length, null)
      if (bytesRead === 0) break
      this.push(step.subarray(0, bytesRead))
      // It grows while it is read.
      if (this.#bytes > SEEN_FILE_MAX_BYTES) return bySize
    }
    const bytes = this.#bytes <= SEEN_TEXT_MAX_BYTES ? Buffer.concat(this.#chunks) : null
    return { content: `sha256:${this.#hash.digest('hex')}`, bytes }
  }
}

export interface FileContent {
  readonly content: string
  /** The whole, when it is short. */
  readonly bytes: Buffer | null
}
