// Owns the sentence for a workspace whose turn is another process's (T-1).
import type { LockError } from '../files/owner-lock'

export function turnLockedMessage(error: LockError): string {
  if (error.kind !== 'held') return error.message
  const where = error.owner === null ? 'of an unknown process' : `process ${error.owner.pid} on ${error.owner.host}`
  return `Another Tidemark (${where}) runs a turn in this workspace. Wait until it ends, or stop it there.`
}
