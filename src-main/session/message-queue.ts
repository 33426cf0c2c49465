// Owns the queue of a workspace and its file: what a person typed stays there until its row is durable (T-2).
// Order of every change: file first, then memory, then whoever listens.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Clock } from '@common/clock'
import { HISTORY_LOCK_WAIT_MS, MAX_QUEUE_ENTRIES } from '@common/constants'
import { QueueEntry } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { createMutex } from '../files/mutex'
import { acquireOwnerLock } from '../files/owner-lock'

const QueueFile = z.looseObject({ entries: z.array(z.unknown()) })

/** Fields that this version does not know stay on an entry. */
const StoredEntry = QueueEntry.loose()

interface ReadQueue {
  readonly entries: QueueEntry[]
  /** The file's other fields, and entries in a form of another version: written back as they are. */
  readonly unknown: { readonly fields: Readonly<Record<string, unknown>>; readonly entries: readonly unknown[] }
  readonly damage: string | null
}

const NOTHING: ReadQueue = { entries: [], unknown: { fields: {}, entries: [] }, damage: null }

export interface QueueSeams {
  readonly clock: Clock
  /** True for an entry whose row is in history. */
  isStored(rowId: string): Promise<boolean>
  onChange(entries: readonly QueueEntry[]): void
}

export interface QueueChange {
  readonly text?: string
  readonly mode?: QueueEntry['mode']
  readonly held?: boolean
}

/** Held while the file is read and written. */
export function queueLockOf(queuePath: string): string {
  return `${queuePath}.lock`
}

export class MessageQueue {
  readonly #path: string
  readonly #seams: QueueSeams
  #entries: QueueEntry[]
  /** Every entry this queue ever held or dropped: what the file holds besides is another process's and stays. */
  readonly #known: Set<string>
  /** Entries whose rows are being stored: nobody changes them any more. */
  readonly #admitted = new Set<string>()
  /** Changes run one after another, so that the file never goes back. */
  readonly #mutex = createMutex()

  private constructor(
    path: string,
    found: { readonly entries: QueueEntry[]; readonly known: Set<string> },
    seams: QueueSeams
  ) {
    this.#path = path
    this.#entries = found.entries
    this.#known = found.known
    this.#seams = seams
  }

  /**
   * Opens the queue as a restart finds it: a person's entries come back held, machine entries are not kept,
   * and an entry whose row is already in history (`isStored`) was delivered and is dropped.
   * A file that does not parse is kept aside and named in `damage`.
   */
  static async open(path: string, seams: QueueSeams): Promise<{ queue: MessageQueue; damage: string | null }> {
    const read = await readQueue(path)
    const entries: QueueEntry[] = []
    for (const entry of read.entries) {
      if (entry.source === 'person' && !(await seams.isStored(entry.id))) entries.push({ ...entry, held: true })
    }
    const known = new Set(read.entries.map((entry) => entry.id))
    return { queue: new MessageQueue(path, { entries, known }, seams), damage: read.damage }
  }

  get entries(): readonly QueueEntry[] {
    return this.#entries
  }

  /** The entry as it is now; null when it was sent or removed. */
  find(entryId: string): QueueEntry | null {
    return this.#entries.find((entry) => entry.id === entryId) ?? null
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
    return this.#addTo((entries) => [...entries, entry])
  }

  /** Adds an entry unless another one waits already. */
  async addIfNoneWaits(entry: QueueEntry): Promise<Result<void, string>> {
    return this.#addTo((entries) => (entries.some(({ held }) => !held) ? [...entries] : [...entries, entry]))
  }

  /** The entry after all changes under way, barred from more: it is about to be stored. Null when it is gone. */
  admit(entryId: string): Promise<QueueEntry | null> {
    return this.#mutex.run(async () => {
      const entry = this.find(entryId)
      if (entry !== null) this.#admitted.add(entryId)
      return entry
    })
  }

  /** The entry was not stored after all. */
  release(entryId: string): void {
    this.#admitted.delete(entryId)
  }

  /** As `add`, before all others. */
  async addFirst(entry: QueueEntry): Promise<Result<void, string>> {
    return this.#addTo((entries) => [entry, ...entries])
  }

  /** Drops what the app itself would have sent, also where the file cannot be written: a restart drops it too. */
  async dropMachine(): Promise<Result<void, string>> {
    if (this.#entries.every((entry) => entry.source === 'person')) return ok(undefined)
    return this.#changeAnyway((entries) => entries.filter((entry) => entry.source === 'person'))
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

  /** Forgets an entry whose row is durable, also where the file cannot be written: a restart finds its row. */
  async delivered(entryId: string): Promise<Result<void, string>> {
    return this.#changeAnyway((entries) => entries.filter((entry) => entry.id !== entryId))
  }

  /** Holds every entry, also where the file cannot be written: a restart holds them by itself. */
  async holdAll(): Promise<Result<void, string>> {
    if (this.#entries.every((entry) => entry.held)) return ok(undefined)
    return this.#changeAnyway((entries) => entries.map((entry) => ({ ...entry, held: true })))
  }

  /** Resolves when every change so far is on disk. */
  async settled(): Promise<void> {
    await this.#mutex.run(async () => undefined)
  }

  #addTo(next: (entries: readonly QueueEntry[]) => QueueEntry[]): Promise<Result<void, string>> {
    return this.#change((entries) => {
      if (entries.filter((other) => !other.held).length < MAX_QUEUE_ENTRIES) return ok(next(entries))
      return err(`The queue holds ${MAX_QUEUE_ENTRIES} messages; wait until some are sent, or remove one.`)
    })
  }

  #changeOne(
    entryId: string,
    next: (entries: readonly QueueEntry[], entry: QueueEntry) => QueueEntry[]
  ): Promise<Result<void, string>> {
    return this.#change((entries) => {
      const entry = entries.find((other) => other.id === entryId)
      if (entry === undefined || this.#admitted.has(entryId))
        return err('That message is no longer in the queue; it was sent or removed.')
      return ok(next(entries, entry))
    })
  }

  /** `next` is asked once all earlier changes are done, so that it decides on what is there then. */
  #change(next: (entries: readonly QueueEntry[]) => Result<QueueEntry[], string>): Promise<Result<void, string>> {
    return this.#mutex.run(async () => {
      const changed = next(this.#entries)
      if (!changed.ok) return changed
      const written = await this.#write(changed.value)
      if (!written.ok) return written
      this.#entries = changed.value
      this.#seams.onChange(changed.value)
      return ok(undefined)
    })
  }

  #changeAnyway(next: (entries: readonly QueueEntry[]) => QueueEntry[]): Promise<Result<void, string>> {
    return this.#mutex.run(async () => {
      const entries = next(this.#entries)
      const written = await this.#write(entries)
      this.#entries = entries
      this.#seams.onChange(entries)
      return written
    })
  }

  /** What is read and what is written are one step, for other processes too: else one's entry is another's loss. */
  async #write(entries: readonly QueueEntry[]): Promise<Result<void, string>> {
    for (const entry of entries) this.#known.add(entry.id)
    const { clock } = this.#seams
    const lock = await acquireOwnerLock(queueLockOf(this.#path), { waitMs: HISTORY_LOCK_WAIT_MS, clock })
    if (!lock.ok && lock.error.kind === 'held') return err(`Could not save the queue. ${lock.error.message}`)
    try {
      const onDisk = await readQueue(this.#path)
      const foreign = onDisk.entries.filter((entry) => !this.#known.has(entry.id))
      const file = { ...onDisk.unknown.fields, entries: [...entries, ...foreign, ...onDisk.unknown.entries] }
      const written = await writeFileAtomic(this.#path, `${JSON.stringify(file)}\n`)
      return written.ok ? ok(undefined) : err(written.error.message)
    } catch (cause) {
      return err(fileErrorOf(cause, 'save the queue', this.#path).message)
    } finally {
      // A disk that gave no lock takes no file either; the write says why.
      if (lock.ok) lock.value.release()
    }
  }
}

async function readQueue(path: string): Promise<ReadQueue> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (isNotFound(cause)) return NOTHING
    throw cause
  }
  const parsed = QueueFile.safeParse(parseJson(bytes.toString('utf8')))
  if (!parsed.success) return { ...NOTHING, damage: await setAside(path, bytes) }
  const { entries: stored, ...fields } = parsed.data
  const entries: QueueEntry[] = []
  const others: unknown[] = []
  for (const value of stored) {
    const entry = StoredEntry.safeParse(value)
    if (entry.success) entries.push(entry.data)
    else others.push(value)
  }
  return { entries, unknown: { fields, entries: others }, damage: null }
}

/** Answers the sentence about it. Without the copy the file must not be written over, so nothing may be queued. */
async function setAside(path: string, bytes: Uint8Array): Promise<string> {
  const copy = await keepAside(path, bytes)
  if (!copy.ok) throw Object.assign(new Error(copy.error.message), { code: copy.error.code, syscall: 'write' })
  return `The queue of this workspace (${path}) does not parse; a copy is kept at ${copy.value}.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
