// Owns the capsule of an input that may not be sent (H-12): an empty assistant row that no provider assembly
// sends; the original lives in metadata for display, edit and export alone.
import type { NewRow } from '@common/rows/row-schema'
import type { ContextBlock } from '../context/context-strategy'

/** The capsule that stands in history for `input`, under its id. */
export function rejectedCapsule(input: NewRow, block: ContextBlock): NewRow {
  return {
    id: input.id,
    role: 'assistant',
    parts: [],
    metadata: {
      ...(input.metadata.timestamp === undefined ? {} : { timestamp: input.metadata.timestamp }),
      machine: { type: 'rejected-input', reason: block.reason, message: block.message, parts: input.parts }
    }
  }
}
