// Owns what is known of every logged request without building one again (V-3): a few hundred bytes each, read once and
// then only from where the log ended. Bounded by the number of requests, never by what they held.
import type { RequestFailure } from '@common/contract/bridge'
import { err, ok, type Result } from '@common/result'
import { fileErrorOf } from '../files/file-error'
import { createMutex } from '../files/mutex'
import type { HistoryFiles } from '../history/history-files'
import { prefixBreakText, prefixOf } from './logged-prefix'
import { LOG_BEGINNING, type LoggedRequest, readLogEntries } from './request-log-reader'
import type { RequestEnd, RequestEnvelope } from './request-log-lines'
import { type SectionBytes, sectionBytesOf } from './section-bytes'

export interface IndexedRequest extends Pick<
  RequestEnvelope,
  'requestSequence' | 'kind' | 'attempt' | 'model' | 'windowId' | 'atMs'
> {
  readonly messages: number
  readonly prefix: { readonly stableBytes: number; readonly totalBytes: number } | null
  readonly brokenBy: string | null
  /** Bytes of canonical JSON by section, memories and notes in `system`; null where they are not known whole. */
  readonly sectionBytes: SectionBytes | null
  /** Null while it is under way, or where the app ended before it did. */
  readonly end: RequestEnd | null
  /** Byte offset of the newest envelope up to this one that says everything. */
  readonly chainFrom: number
}

/** A request with its digests, and the one before it. */
export interface FoundRequest {
  readonly indexed: IndexedRequest
  readonly logged: LoggedRequest
  readonly previous: LoggedRequest | null
}

export class RequestIndex {
  readonly #files: HistoryFiles
  readonly #mutex = createMutex()
  #requests: IndexedRequest[] = []
  #bySequence = new Map<number, number>()
  #damagedLines = 0
  #tornLines = 0
  #inode: bigint | null = null
  #byteOffset = 0
  #previous: LoggedRequest | null = null

  constructor(files: HistoryFiles) {
    this.#files = files
  }

  /** Every request, oldest first, as the log is now. */
  all(): Promise<Result<{ requests: readonly IndexedRequest[]; damagedLines: number }, RequestFailure>> {
    return this.#mutex.run(async () => {
      try {
        await this.#readOn()
        return ok({ requests: this.#requests, damagedLines: this.#damagedLines + this.#tornLines })
      } catch (cause) {
        return err(this.#failure(cause))
      }
    })
  }

  /** One request with what it held; `not-found` where the log does not name it. */
  async find(requestSequence: number): Promise<Result<FoundRequest, RequestFailure>> {
    const all = await this.all()
    if (!all.ok) return all
    const at = this.#bySequence.get(requestSequence)
    const indexed = at === undefined ? undefined : all.value.requests[at]
    if (at === undefined || indexed === undefined)
      return err({ kind: 'not-found', message: `There is no request ${requestSequence} in the log of this workspace.` })
    try {
      const pair = await this.#readPair(requestSequence, all.value.requests[at - 1] ?? indexed)
      return pair === null ? err(this.#changed()) : ok({ indexed, ...pair })
    } catch (cause) {
      return err(this.#failure(cause))
    }
  }

  async #readPair(
    requestSequence: number,
    { chainFrom }: IndexedRequest
  ): Promise<Omit<FoundRequest, 'indexed'> | null> {
    let previous: LoggedRequest | null = null
    for await (const entry of readLogEntries(this.#files, { byteOffset: chainFrom, previous: null })) {
      if (entry.kind === 'end') continue
      if (entry.logged.envelope.requestSequence === requestSequence) return { logged: entry.logged, previous }
      previous = entry.logged
    }
    return null
  }

  async #readOn(): Promise<void> {
    const { fs, paths } = this.#files
    const stamp = fs.stat(paths.requests)
    // Another file, or a shorter one: somebody changed it, and nothing that was known counts.
    if (stamp?.inode !== this.#inode || stamp.size < this.#byteOffset) this.#forget(stamp?.inode ?? null)
    if (stamp === null || stamp.size === this.#byteOffset) return
    const reading = readLogEntries(this.#files, { byteOffset: this.#byteOffset, previous: this.#previous })
    let next = await reading.next()
    for (; next.done !== true; next = await reading.next()) {
      const entry = next.value
      if (!entry.isEnded) continue
      if (entry.kind === 'end') this.#addEnd(entry.end)
      else this.#add(entry.logged, entry.byteOffset)
    }
    this.#byteOffset = next.value.byteOffset
    this.#tornLines = next.value.tornLines
    this.#damagedLines += next.value.lines - next.value.tornLines
  }

  #add(logged: LoggedRequest, byteOffset: number): void {
    const { requestSequence, kind, attempt, model, windowId, atMs, messages, after } = logged.envelope
    const change = this.#previous === null ? null : prefixOf(this.#previous, logged)
    const request: IndexedRequest = {
      requestSequence,
      kind,
      attempt,
      model,
      windowId,
      atMs,
      messages: messages.total,
      prefix: change === null ? null : { stableBytes: change.stableBytes, totalBytes: change.totalBytes },
      brokenBy: change === null || this.#previous === null ? null : prefixBreakText(this.#previous, logged, change),
      sectionBytes: sectionBytesOf(logged),
      end: null,
      chainFrom: after === null ? byteOffset : (this.#requests.at(-1)?.chainFrom ?? byteOffset)
    }
    this.#previous = logged
    this.#bySequence.set(requestSequence, this.#requests.push(request) - 1)
  }

  #addEnd(end: RequestEnd): void {
    const at = this.#bySequence.get(end.requestSequence)
    const request = at === undefined ? undefined : this.#requests[at]
    if (at !== undefined && request !== undefined) this.#requests[at] = { ...request, end }
  }

  #forget(inode: bigint | null): void {
    this.#requests = []
    this.#bySequence = new Map()
    this.#damagedLines = 0
    this.#tornLines = 0
    this.#inode = inode
    this.#byteOffset = LOG_BEGINNING.byteOffset
    this.#previous = LOG_BEGINNING.previous
  }

  #changed(): RequestFailure {
    return { kind: 'not-found', message: 'The log of requests was changed meanwhile. Open the request again.' }
  }

  #failure(cause: unknown): RequestFailure {
    const { message } = fileErrorOf(cause, 'read the log of requests', this.#files.paths.requests)
    return { kind: 'io', message }
  }
}
