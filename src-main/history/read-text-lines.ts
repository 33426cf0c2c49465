// Owns reading the lines of somebody else's file, for import: bounded memory, long lines named and left out.
import { setImmediate } from 'node:timers/promises'
import { type FileSystem, OPEN_READ } from '../files/file-system'
import { readLines } from './read-lines'

/** Others hold whole pictures in a line; beyond this it is no session. */
const MAX_FOREIGN_LINE_BYTES = 67_108_864

/** Each line's text, null for one that is too long. Throws the system's error. */
export async function* readTextLines(
  fs: FileSystem,
  path: string,
  maxLineBytes = MAX_FOREIGN_LINE_BYTES
): AsyncGenerator<string | null> {
  const descriptor = fs.open(path, OPEN_READ)
  try {
    let lines: (string | null)[] = []
    const reading = readLines(
      fs,
      descriptor,
      { from: 0, to: fs.fstat(descriptor).size, maxLineBytes },
      {
        line: ({ buffer, start, end }) => lines.push(buffer.toString('utf8', start, end)),
        oversized: () => lines.push(null)
      }
    )
    for (const _ of reading) {
      yield* lines
      lines = []
      await setImmediate()
    }
    yield* lines
  } finally {
    fs.close(descriptor)
  }
}
