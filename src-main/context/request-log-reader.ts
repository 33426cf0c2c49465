// Owns reading requests.jsonl again: each envelope with all digests that it stands for, taken from the ones before it.
// A damaged line is passed over and counted; an envelope that rests on one knows its own new messages alone.
import { setImmediate } from 'node:timers/promises'
import type { HistoryFiles } from '../history/history-files'
import { parseJsonLine } from '../history/parse-line'
import { readLines } from '../history/read-lines'
import { openIfThere } from '../files/open-if-there'
import { type MessageDigest, type RequestEnvelope, readRequestLogLine, type ToolDigest } from './request-log-lines'

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

/** An envelope that names a hundred thousand messages; readers hold one line at a time. */
const MAX_ENVELOPE_BYTES = 16_777_216

/**
 * Every request of the log in order, as the file is now, in bounded memory. Returns what of it is damaged.
 * Throws the system's error.
 */
export async function* readRequestLog({ fs, paths }: HistoryFiles): AsyncGenerator<LoggedRequest, LogDamage> {
  const descriptor = openIfThere(fs, paths.requests)
  let damage: LogDamage = { lines: 0, firstLine: null }
  if (descriptor === null) return damage
  let lineNumber = 0
  const addDamage = (): void => {
    damage = { lines: damage.lines + 1, firstLine: damage.firstLine ?? lineNumber }
  }
  let previous: LoggedRequest | null = null
  const read: LoggedRequest[] = []
  try {
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: fs.fstat(descriptor).size, maxLineBytes: MAX_ENVELOPE_BYTES },
      {
        line({ buffer, start, end }) {
          lineNumber++
          const line = readRequestLogLine(parseJsonLine(buffer.toString('utf8', start, end)))
          if (line.kind === 'damaged') addDamage()
          if (line.kind !== 'request') return
          previous = resolve(line.envelope, previous)
          read.push(previous)
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
    return damage
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
