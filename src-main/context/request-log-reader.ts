// Owns reading requests.jsonl again: each envelope with all digests that it stands for, taken from the ones before it,
// and how each request ended. A damaged line is passed over and counted; an envelope that rests on one knows its own new
// messages alone.
import { setImmediate } from 'node:timers/promises'
import type { HistoryFiles } from '../history/history-files'
import { parseJsonLine } from '../history/parse-line'
import { readLines } from '../history/read-lines'
import { openIfThere } from '../files/open-if-there'
import {
  type MessageDigest,
  type RequestEnd,
  type RequestEnvelope,
  readRequestLogLine,
  type ToolDigest
} from './request-log-lines'

export interface LoggedRequest {
  readonly envelope: RequestEnvelope
  /** Of every message but the system's; null where an envelope that it rests on cannot be read. */
  readonly messages: readonly MessageDigest[] | null
  /** Null likewise. */
  readonly tools: readonly ToolDigest[] | null
}

/** What of the log cannot be read. */
export interface LogDamage {
  readonly lines: number
  /** Number of the first of them, from 1; null without any. */
  readonly firstLine: number | null
}

/** `isEnded` is false for a last line without its newline: it may be torn, or go on. */
export type LogEntry = { readonly isEnded: boolean } & (
  | { readonly kind: 'request'; readonly logged: LoggedRequest; readonly byteOffset: number }
  | { readonly kind: 'end'; readonly end: RequestEnd }
)

/** Where to begin: behind a request that is known already, or at one that says everything. */
export interface LogPlace {
  readonly byteOffset: number
  readonly previous: LoggedRequest | null
}

export interface LogEnd extends LogDamage {
  /** Behind the last line that has its newline. */
  readonly byteOffset: number
  /** Of the damaged lines, 1 where it is the last and has no newline. */
  readonly tornLines: number
}

const NO_LOG: LogEnd = { lines: 0, firstLine: null, byteOffset: 0, tornLines: 0 }
export const LOG_BEGINNING: LogPlace = { byteOffset: 0, previous: null }

/** An envelope that names a hundred thousand messages; readers hold one line at a time. */
const MAX_ENVELOPE_BYTES = 16_777_216

/**
 * Every request of the log in order, as the file is now, in bounded memory. Returns what of it is damaged.
 * Throws the system's error.
 */
export async function* readRequestLog(files: HistoryFiles): AsyncGenerator<LoggedRequest, LogDamage> {
  const reading = readLogEntries(files, LOG_BEGINNING)
  let next = await reading.next()
  try {
    for (; next.done !== true; next = await reading.next()) if (next.value.kind === 'request') yield next.value.logged
    const { lines, firstLine } = next.value
    return { lines, firstLine }
  } finally {
    // A caller that leaves early leaves no file open.
    await reading.return(NO_LOG)
  }
}

/** Requests and how they ended, from a place on. Returns where the reading ended and what was damaged. */
export async function* readLogEntries(
  { fs, paths }: HistoryFiles,
  { byteOffset: from, previous: known }: LogPlace
): AsyncGenerator<LogEntry, LogEnd> {
  const descriptor = openIfThere(fs, paths.requests)
  if (descriptor === null) return NO_LOG
  let damage: LogDamage = { lines: 0, firstLine: null }
  let lineNumber = 0
  let [endedAt, tornLines] = [from, 0]
  const addDamage = (): void => {
    damage = { lines: damage.lines + 1, firstLine: damage.firstLine ?? lineNumber }
  }
  let previous = known
  const read: LogEntry[] = []
  try {
    const reading = readLines(
      fs,
      descriptor,
      { from, to: fs.fstat(descriptor).size, maxLineBytes: MAX_ENVELOPE_BYTES },
      {
        line({ buffer, start, end, byteOffset, isEnded }) {
          lineNumber++
          if (isEnded) endedAt = byteOffset + (end - start) + 1
          const line = readRequestLogLine(parseJsonLine(buffer.toString('utf8', start, end)))
          if (line.kind === 'damaged') {
            addDamage()
            if (!isEnded) tornLines++
          }
          if (line.kind === 'end') read.push({ ...line, isEnded })
          if (line.kind !== 'request') return
          previous = resolve(line.envelope, previous)
          read.push({ kind: 'request', logged: previous, byteOffset, isEnded })
        },
        oversized() {
          lineNumber++
          addDamage()
        }
      }
    )
    for (const _ of reading) {
      yield* read.splice(0)
      await setImmediate()
    }
    yield* read.splice(0)
    return { ...damage, byteOffset: endedAt, tornLines }
  } finally {
    fs.close(descriptor)
  }
}

function resolve(envelope: RequestEnvelope, previous: LoggedRequest | null): LoggedRequest {
  const { after, messages, tools } = envelope
  const before = after !== null && previous?.envelope.requestSequence === after ? previous : null
  const shared = messages.shared === 0 ? [] : (before?.messages?.slice(0, messages.shared) ?? null)
  const all = shared === null ? null : [...shared, ...messages.added]
  return {
    envelope,
    messages: all?.length === messages.total ? all : null,
    tools: tools ?? before?.tools ?? null
  }
}
