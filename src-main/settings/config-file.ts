// Owns one configuration file: what it says now, what is wrong in it, and changes to it that are atomic
// and safe against another process. A file that cannot be read as a whole is never written: its bytes
// stay, defaults are used, the person is told. Knows no setting by name.
import { chmodSync, copyFileSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Clock } from '@common/clock'
import { type Result, err, ok } from '@common/result'
import type { z } from 'zod'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf, isNotFound, systemCodeOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import type { Log } from '../files/log'
import { makePrivateFolder } from '../files/make-private-folder'
import { createMutex } from '../files/mutex'
import { acquireOwnerLock } from '../files/owner-lock'
import { type ConfigProblem, parseConfigText, placeAt } from './config-text'
import { type ConfigChange, editConfigText } from './edit-config-text'
import { salvage, valueOf } from './salvage'

export interface ConfigWriteError {
  /** `broken`: repair the file first; `locked`: another process writes; `io`: the disk; `invalid`: the value. */
  readonly kind: 'broken' | 'locked' | 'io' | 'invalid'
  /** What happened, to what, what to do. */
  readonly message: string
}

interface Reading<T> {
  readonly text: string
  readonly value: T
  /** The file's own value, with what was passed over; `{}` when broken. */
  readonly raw: unknown
  readonly problems: readonly ConfigProblem[]
  readonly broken: boolean
}

/** How long a writer waits for another process's short write. */
const LOCK_WAIT_MS = 2_000

export class ConfigFile<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>
  readonly #log: Log
  readonly #clock: Clock
  readonly #listeners = new Set<(value: T) => void>()
  #reading: Reading<T>
  readonly #writes = createMutex()

  /** `schema` must accept `{}`. Reads at once; never throws for what is in the file. */
  constructor(path: string, schema: z.ZodType<T>, seams: { log: Log; clock: Clock }) {
    this.#path = path
    this.#schema = schema
    this.#log = seams.log
    this.#clock = seams.clock
    this.#reading = this.#read()
    this.#tell()
  }

  value(): T {
    return this.#reading.value
  }

  problems(): readonly ConfigProblem[] {
    return this.#reading.problems
  }

  /** Reads the file again when another process or the person changed it; true when it did change. */
  refresh(): boolean {
    const fresh = this.#read()
    if (fresh.text === this.#reading.text && fresh.broken === this.#reading.broken) return false
    this.#accept(fresh)
    return true
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Reads the file anew under a lock, asks `decide` what to change in it, writes it at once as a whole.
   * `decide` gets the value as the schema reads it and the raw one with what was passed over; it may
   * refuse with an error, and no changes means nothing is written.
   */
  edit(
    decide: (
      current: T,
      raw: unknown,
      problems: readonly ConfigProblem[]
    ) => Result<readonly ConfigChange[], ConfigWriteError>
  ): Promise<Result<T, ConfigWriteError>> {
    return this.#underLock((fresh) => {
      if (fresh.broken) {
        const why = fresh.problems[0]?.message ?? `${basename(this.#path)} cannot be read.`
        return err({ kind: 'broken', message: `Nothing was saved. ${why}` })
      }
      const changes = decide(fresh.value, fresh.raw, fresh.problems)
      if (!changes.ok) return changes
      return ok(changes.value.length === 0 ? fresh.text : editConfigText(fresh.text, changes.value))
    })
  }

  /** The person gives up a broken file: it is copied to `NAME.broken-TIME`, then an empty one takes its place. */
  acceptDefaults(): Promise<Result<T, ConfigWriteError>> {
    return this.#underLock((fresh) => {
      if (!fresh.broken) return ok(fresh.text)
      const time = new Date(this.#clock.now()).toISOString().replace(/[:.]/g, '-')
      copyFileSync(this.#path, `${this.#path}.broken-${time}`)
      return ok('{}\n')
    })
  }

  #underLock(decide: (fresh: Reading<T>) => Result<string, ConfigWriteError>): Promise<Result<T, ConfigWriteError>> {
    return this.#writes.run(async () => {
      try {
        makePrivateFolder(nodeFileSystem, dirname(this.#path))
        const lock = await acquireOwnerLock(`${this.#path}.lock`, { waitMs: LOCK_WAIT_MS, clock: this.#clock })
        if (!lock.ok) return err({ kind: lock.error.kind === 'held' ? 'locked' : 'io', message: lock.error.message })
        try {
          return await this.#replace(decide)
        } finally {
          lock.value.release()
        }
      } catch (cause) {
        return err({ kind: 'io', message: fileErrorOf(cause, `save ${basename(this.#path)}`, this.#path).message })
      }
    })
  }

  async #replace(
    decide: (fresh: Reading<T>) => Result<string, ConfigWriteError>
  ): Promise<Result<T, ConfigWriteError>> {
    const fresh = this.#read()
    const text = decide(fresh)
    if (!text.ok) {
      this.#accept(fresh)
      return text
    }
    if (text.value !== fresh.text || fresh.broken) {
      const written = await writeFileAtomic(this.#path, text.value)
      if (!written.ok) return err({ kind: 'io', message: written.error.message })
    }
    this.#accept(this.#read())
    return ok(this.#reading.value)
  }

  #accept(fresh: Reading<T>): void {
    const changed = fresh.text !== this.#reading.text || fresh.broken !== this.#reading.broken
    this.#reading = fresh
    if (!changed) return
    this.#tell()
    for (const listener of this.#listeners) listener(fresh.value)
  }

  #tell(): void {
    for (const { kind, line, column, message } of this.#reading.problems) {
      this.#log.warn('config-problem', { file: this.#path, kind, line, column, message })
    }
  }

  #read(): Reading<T> {
    let bytes: Uint8Array
    try {
      bytes = readFileSync(this.#path)
      closeToOthers(this.#path)
    } catch (cause) {
      if (isNotFound(cause)) return { text: '', value: this.#schema.parse({}), raw: {}, problems: [], broken: false }
      if (systemCodeOf(cause) === null) throw cause
      const { message } = fileErrorOf(cause, `read ${basename(this.#path)}`, this.#path)
      return this.#brokenReading('', { line: 0, column: 0 }, `${message} Defaults are used until then.`)
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    if (!Buffer.from(text, 'utf8').equals(bytes)) {
      const place = placeAt(text, Math.max(0, text.indexOf('\ufffd')))
      return this.#brokenReading(text, place, this.#brokenMessage(place, 'it is not UTF-8 text'))
    }
    const parsed = parseConfigText(text)
    if (!parsed.ok) return this.#brokenReading(text, parsed.place, this.#brokenMessage(parsed.place, parsed.why))
    const { value, problems } = salvage(parsed.root, this.#schema)
    return {
      text,
      value,
      raw: valueOf(parsed.root, new Set()),
      broken: false,
      problems: problems.map(({ offset, path, why }): ConfigProblem => {
        const place = placeAt(text, offset)
        const message = `${basename(this.#path)}, line ${place.line}, column ${place.column}: "${path}" is passed over (${why}); the rest is used.`
        return { kind: 'field', file: this.#path, ...place, path, message }
      })
    }
  }

  #brokenReading(text: string, place: { line: number; column: number }, message: string): Reading<T> {
    const problem: ConfigProblem = { kind: 'broken', file: this.#path, ...place, path: '', message }
    return { text, value: this.#schema.parse({}), raw: {}, problems: [problem], broken: true }
  }

  #brokenMessage(place: { line: number; column: number }, why: string): string {
    return `${basename(this.#path)} is broken at line ${place.line}, column ${place.column} (${why}); it is kept as it is and defaults are used until it is repaired.`
  }
}

/** Keys may stand in it. A mode that cannot be changed (another owner, a foreign file system) stays. */
function closeToOthers(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, PRIVATE_FILE_MODE)
  } catch (cause) {
    fileErrorOf(cause, 'close to others', path)
  }
}
