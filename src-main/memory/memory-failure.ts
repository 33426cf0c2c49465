// Owns the expected failures of memories as values; each message is for the agent and for a person alike.
import { err, type Err } from '@common/result'
import { fileErrorOf } from '../files/file-error'

export interface MemoryFailure {
  readonly kind: 'bad-path' | 'missing' | 'exists' | 'refused' | 'locked' | 'io'
  /** What happened, to what, what to do. */
  readonly message: string
}

export function memoryFailure(kind: MemoryFailure['kind'], message: string): Err<MemoryFailure> {
  return err({ kind, message })
}

/** A thrown system error as a failure that names the memory, not the file behind it; a bug is thrown on. */
export function memoryIoFailure(cause: unknown, action: string, path: string): Err<MemoryFailure> {
  return err({ kind: 'io', message: fileErrorOf(cause, action, path).message })
}
