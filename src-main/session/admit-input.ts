// Owns the last look at a queue entry before its row is stored (T-2): what the person changed until then counts.
import type { NewRow } from '@common/rows/row-schema'
import { inputRowOf } from './input-row'
import type { MessageQueue } from './message-queue'
import type { AdmittedInput } from './turn-context'

const FREE: AdmittedInput = { kind: 'same', release() {} }

/** `entryId`: the entry that the turn was begun with; other inputs (a copy, a Continue of the turn) are in no queue. */
export async function admitInput(queue: MessageQueue, entryId: string | null, input: NewRow): Promise<AdmittedInput> {
  if (input.id !== entryId) return FREE
  const entry = await queue.admit(entryId)
  if (entry === null) return { kind: 'withdrawn' }
  const latest = inputRowOf(entry, input.metadata.timestamp ?? entry.queuedAtMs)
  if (JSON.stringify(latest.parts) === JSON.stringify(input.parts))
    return { kind: 'same', release: () => queue.release(entryId) }
  queue.release(entryId)
  return { kind: 'changed', input: latest }
}
