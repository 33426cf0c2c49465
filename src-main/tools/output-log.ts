// Owns the output of one command: all of it while it is small; past the cap of a row head and tail in memory
// and the whole in a spill. Memory is bounded whatever the command prints.
import { BASH_MAX_LOG_BYTES, MAX_TOOL_RESULT_BYTES } from '@common/constants'
import type { SpillReference } from '@common/rows/row-schema'
import { spillNote } from './cap-output'
import { headAndTail, jsonBytes } from './json-bytes'
import type { SpillStore, SpillStream } from './tool-types'

export interface LogEnd {
  readonly text: string
  readonly spill?: SpillReference
}

/** Kept free for the other fields of the result, and for a line of ours about how the command ended. */
const FIELDS_BYTES = 1_024

/** Budget of the text inside the row. */
const TEXT_BYTES = MAX_TOOL_RESULT_BYTES - FIELDS_BYTES

/** Head and tail kept in memory, in characters: no more of either ever fits into a row. */
const EDGE_CHARS = TEXT_BYTES

export class OutputLog {
  readonly #spill: Pick<SpillStore, 'openStream'>
  #head = ''
  #headJsonBytes = 0
  #tail = ''
  #isWhole = true
  #stream: SpillStream | null = null
  #loggedBytes = 0

  constructor(spill: Pick<SpillStore, 'openStream'>) {
    this.#spill = spill
  }

  append(text: string): void {
    if (text === '') return
    if (this.#isWhole) {
      this.#head += text
      this.#headJsonBytes += jsonBytes(text) - 2
      if (this.#headJsonBytes <= TEXT_BYTES) return
      this.#isWhole = false
      this.#stream = this.#spill.openStream()
      this.#log(this.#head)
      this.#tail = this.#head.slice(-EDGE_CHARS)
      this.#head = this.#head.slice(0, EDGE_CHARS)
      return
    }
    this.#log(text)
    this.#tail = (this.#tail + text).slice(-EDGE_CHARS)
  }

  /** The text for the row. A log that could not be kept is said in it. */
  async finish(): Promise<LogEnd> {
    if (this.#stream === null) return { text: this.#head }
    try {
      const spill = await this.#stream.finish()
      return { text: this.#edges(spillNote(spill)), spill }
    } catch (cause) {
      const why = cause instanceof Error ? cause.message.slice(0, 200) : 'unknown fault'
      return { text: this.#edges(`the whole log could not be kept (${why})`) }
    }
  }

  #edges(note: string): string {
    return headAndTail(this.#head + this.#tail, note, TEXT_BYTES)
  }

  #log(text: string): void {
    this.#loggedBytes = logCapped(this.#stream, text, this.#loggedBytes)
  }
}

/** Appends to a log unless it is at its limit, which is said in it once. Answers the bytes logged so far. */
export function logCapped(stream: SpillStream | null, text: string, loggedBytes: number): number {
  if (stream === null || loggedBytes >= BASH_MAX_LOG_BYTES) return loggedBytes
  const bytes = Buffer.from(text)
  stream.append(bytes)
  const total = loggedBytes + bytes.length
  if (total >= BASH_MAX_LOG_BYTES) stream.append(Buffer.from('\n[… the log ends here: it reached its limit …]\n'))
  return total
}
