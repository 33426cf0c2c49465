// Owns what the command line prints: results on stdout (events as JSON lines, or text), all else on stderr.
// What reaches a person is made safe for a terminal here, once.
import { forTerminal } from './for-terminal'

/** Exit codes, pinned in the command line's contract. */
export const EXIT = { done: 0, failed: 1, usage: 2, blocked: 3, damaged: 4, interrupted: 130, terminated: 143 } as const

export interface Output {
  readonly json: boolean
  /** One line of the result: an object with `--json`, else nothing (callers print text themselves). */
  event(value: Readonly<Record<string, unknown>>): void
  /** Readable text on stdout; silent with `--json`. */
  text(value: string): void
  /** For the person at the terminal; never part of the result. */
  note(value: string): void
}

export interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

export function createOutput(json: boolean, streams: Streams): Output {
  return {
    json,
    event(value) {
      if (json) streams.stdout.write(`${JSON.stringify(value)}\n`)
    },
    text(value) {
      if (!json) streams.stdout.write(forTerminal(value))
    },
    note: (value) => void streams.stderr.write(`${forTerminal(value)}\n`)
  }
}

/** Wrong use: an event with `--json`, else a sentence on stderr; answers its exit code. */
export function usageError(output: Output, reason: string, message: string): number {
  output.event({ type: 'usage-error', reason, message })
  if (!output.json) output.note(`tidemark: ${message}`)
  return EXIT.usage
}
