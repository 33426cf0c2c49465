// Owns the copy of a damaged file: byte for byte, beside it, named by its content, so that no copy of other
// damage is ever written over. Call it before the file itself is replaced.
import { createHash } from 'node:crypto'
import type { Result } from '@common/result'
import { ok } from '@common/result'
import { writeFileAtomic } from './atomic-write'
import type { FileError } from './file-error'

/** Answers the path of the copy; without one the file must not be written over. */
export async function keepAside(path: string, bytes: Uint8Array): Promise<Result<string, FileError>> {
  const copy = `${path}.damaged-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`
  const kept = await writeFileAtomic(copy, bytes)
  return kept.ok ? ok(copy) : kept
}
