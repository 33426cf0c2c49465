// Owns the machine row that asks for the rest of an answer, where a turn goes on without a new input (M-3). Pure.
import type { NewRow } from '@common/rows/row-schema'

const TEXT = 'Continue from where your last answer stopped.'

export function continueRow(id: string, nowMs: number): NewRow {
  return {
    id,
    role: 'user',
    parts: [{ type: 'text', text: TEXT }],
    metadata: { timestamp: nowMs, synthetic: true, uiVisible: true, machine: { type: 'continue' } }
  }
}
