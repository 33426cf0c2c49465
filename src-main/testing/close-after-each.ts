// Owns the end of each test of a file: what it opened is closed, the newest first.
import { afterEach } from 'vitest'

export interface Closable {
  close(): Promise<void>
}

/** A list for what the tests of this file open; emptied and closed after each. Call it once, at the top of the file. */
export function closeAfterEach(): Closable[] {
  const toClose: Closable[] = []
  afterEach(() => closeThem(toClose))
  return toClose
}

/** Closes what is in the list, the newest first, and empties it. */
export async function closeThem(toClose: Closable[]): Promise<void> {
  for (const closable of toClose.splice(0).toReversed()) await closable.close()
}
