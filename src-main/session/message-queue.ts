// Owns the queue of a workspace and its file: what a person typed stays there until its row is durable (T-2).
// Order of every change: file first, then memory, then whoever listens.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { MAX_QUEUE_ENTRIES } from '@common/constants'
import { QueueEntry } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { writeFileAtomic } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'

const QueueFile = z.looseObject({ entries: z.array(z.unknown()) })

export interface QueueChange {
  readonly text?: string
  readonly mode?: QueueEntry['mode']
  readonly held?: boolean
}

export class MessageQueue {
  readonly #path: string
  readonly #onChange: (entries: readonly QueueEntry[]) => void
  #entries: QueueEntry[]
  /** Every entry this queue ever held: what the file holds besides is another process's and stays. */
  readonly #known: Set<string>
  /** Changes run one after another, so that the file never goes back. */
  #tail: Promise<unknown> = Promise.resolve()

  private constructor(path: string, entries: QueueEntry[], onChange: (entries: readonly QueueEntry[]) => void) {
    this.#path = path
    this.#entries = entries
    this.#known = new Set(entries.map((entry) => entry.id))
    this.#onChange = onChange
  }

  /**
   * Opens the queue as a restart finds it: a person's entries come back held, machine entries are not kept,
   * and an entry whose row is already in history (`isStored`) was delivered and is dropped.
   * A file that does not parse is kept aside and named in `damage`.
   */
  static async open(
    path: string,
    isStored: (rowId: string) => Promise<boolean>,
    onChange: (entries: readonly QueueEntry[]) => void
  ): Promise<{ queue: MessageQueue; damage: string | null }> {
    const read = await readEntries(path)
    const entries: QueueEntry[] = []
    for (const entry of read.entries) {
      if (entry.source === 'person' && !(await isStored(entry.id))) entries.push({ ...entry, held: true })
    }
    return { queue: new MessageQueue(path, entries, onChange), damage: read.damage }
  }

  get entries(): readonly QueueEntry[] {
    return this.#entries
  }

  /**
   * The next entry that may be dispatched by itself, in order; held ones wait for the person. After a turn that
   * stopped at a step (`atStepEnd`) only an entry that asked for that may go first.
   */
  next(atStepEnd: boolean): QueueEntry | null {
    return this.#entries.find((entry) => !entry.held && (!atStepEnd || entry.mode === 'tool-end')) ?? null
  }

  /** True when an entry waits for the next settled step. */
  wantsStepEnd(): boolean {
    return this.#entries.some((entry) => !entry.held && entry.mode === 'tool-end')
  }

  /** Adds an entry; it is on disk when this resolves. Held entries never count as a full queue. */
  async add(entry: QueueEntry): Promise<Result<void, string>> {
    if (this.#entries.filter((other) => !other.held).length >= MAX_QUEUE_ENTRIES) {
      return err(`The queue holds ${MAX_QUEUE_ENTRIES} messages; wait until some are sent, or remove one.`)
    }
    return this.#change((entries) => [...entries, entry])
  }

  /** Changes an entry; one that was dispatched meanwhile is an error in words, as in `move` and `remove`. */
  async edit(entryId: string, change: QueueChange): Promise<Result<void, string>> {
    return this.#changeOne(entryId, (entries) =>
      entries.map((entry) => (entry.id === entryId ? { ...entry, ...change } : entry))
    )
  }

  async move(entryId: string, toIndex: number): Promise<Result<void, string>> {
    return this.#changeOne(entryId, (entries, moved) => {
      const others = entries.filter((other) => other.id !== entryId)
      return [...others.slice(0, toIndex), moved, ...others.slice(toIndex)]
    })
  }

  async remove(entryId: string): Promise<Result<void, string>> {
    return this.#changeOne(entryId, (entries) => entries.filter((entry) => entry.id !== entryId))
  }

  /** Resolves when every change so far is on disk. */
  async settled(): Promise<void> {
    await this.#tail
  }

  #changeOne(
    entryId: string,
    next: (entries: readonly QueueEntry[], entry: QueueEntry) => QueueEntry[]
  ): Promise<Result<void, string>> {
    const entry = this.#entries.find((other) => other.id === entryId)
    if (entry === undefined)
      return Promise.resolve(err('That message is no longer in the queue; it was sent or removed.'))
    return this.#change((entries) => next(entries, entry))
  }

  #change(next: (entries: readonly QueueEntry[]) => QueueEntry[]): Promise<Result<void, string>> {
    const work = this.#tail.then(async (): Promise<Result<void, string>> => {
      const entries = next(this.#entries)
      for (const entry of entries) this.#known.add(entry.id)
      const foreign = (await readEntries(this.#path)).entries.filter((entry) => !this.#known.has(entry.id))
      const written = await writeFileAtomic(this.#path, `${JSON.stringify({ entries: [...entries, ...foreign] })}\n`)
      if (!written.ok) return err(written.error.message)
      this.#entries = entries
      this.#onChange(entries)
      return ok(undefined)
    })
    this.#tail = work
    return work
  }
}

async function readEntries(path: string): Promise<{ entries: QueueEntry[]; damage: string | null }> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (isNotFound(cause)) return { entries: [], damage: null }
    throw cause
  }
  const parsed = QueueFile.safeParse(parseJson(text))
  if (!parsed.success) {
    const aside = `${path}.damaged-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
    const kept = await writeFileAtomic(aside, text)
    // Without the copy the file must not be written over, so nothing may be queued.
    if (!kept.ok) throw new Error(kept.error.message)
    return { entries: [], damage: `The queue of this workspace (${path}) does not parse; a copy is kept at ${aside}.` }
  }
  const entries = parsed.data.entries.flatMap((value) => {
    const entry = QueueEntry.safeParse(value)
    return entry.success ? [entry.data] : []
  })
  return { entries, damage: null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
