// Owns what is remembered in memory of the files that the model saw: texts for a later diff, and what was found on
// disk, so that an unchanged file is not read again. Nothing but time and diffs is lost with it: what the model saw
// stands in the rows.
import type { Stats } from 'node:fs'
import { FRESH_FILE_MS, MAX_SEEN_FILES, SEEN_TEXT_MAX_BYTES, SEEN_TEXTS_MAX_BYTES } from '@common/constants'
import type { SeenFile } from '@common/rows/seen-file'

type FileTimes = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>

interface Found extends FileTimes {
  readonly content: string
  readonly lookedAtMs: number
}

/** One a workspace. */
export class SeenFiles {
  /** By content, the one used longest ago first. */
  readonly #texts = new Map<string, Buffer>()
  #textBytes = 0
  /** By path. */
  readonly #found = new Map<string, Found>()

  /** Keeps the bytes of a content; those used longest ago make room. */
  keepText(content: string, bytes: Buffer): void {
    if (bytes.length > SEEN_TEXT_MAX_BYTES || this.textOf(content) !== null) return
    this.#texts.set(content, bytes)
    this.#textBytes += bytes.length
    for (const [oldest, { length }] of this.#texts) {
      if (this.#textBytes <= SEEN_TEXTS_MAX_BYTES) return
      this.#texts.delete(oldest)
      this.#textBytes -= length
    }
  }

  /** The bytes of a content, or null when they are not kept. */
  textOf(content: string): Buffer | null {
    const bytes = this.#texts.get(content)
    if (bytes === undefined) return null
    this.#texts.delete(content)
    this.#texts.set(content, bytes)
    return bytes
  }

  /** Remembers which content the file at `path` had when it had these times. */
  found(path: string, content: string, { size, mtimeMs, ctimeMs, ino }: FileTimes, lookedAtMs: number): void {
    this.#found.delete(path)
    this.#found.set(path, { content, size, mtimeMs, ctimeMs, ino, lookedAtMs })
    const [oldest] = this.#found.keys()
    if (oldest !== undefined && this.#found.size > MAX_SEEN_FILES) this.#found.delete(oldest)
  }

  /** The content of the file as far as its times tell, or null when it must be read. */
  contentByTimes(seen: SeenFile, now: FileTimes): string | null {
    const found = this.#found.get(seen.path)
    if (found !== undefined) return found.ino === now.ino && isUntouched(found, now) ? found.content : null
    const { bytes: size = -1, mtimeMs = 0, ctimeMs = 0, seenAtMs: lookedAtMs } = seen
    return isUntouched({ size, mtimeMs, ctimeMs, lookedAtMs }, now) ? seen.content : null
  }
}

function isUntouched(then: Omit<Found, 'content' | 'ino'>, now: FileTimes): boolean {
  if (then.size !== now.size || then.mtimeMs !== now.mtimeMs || then.ctimeMs !== now.ctimeMs) return false
  return then.lookedAtMs - Math.max(then.mtimeMs, then.ctimeMs) > FRESH_FILE_MS
}
