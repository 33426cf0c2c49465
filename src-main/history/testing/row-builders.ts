// Owns short ways to say a row in a test.
import type { NewRow, RowMetadata, ToolPart } from '@common/rows/row-schema'

export function personRow(id: string, text = `text of ${id}`, metadata: RowMetadata = {}): NewRow {
  return { id, role: 'user', parts: [{ type: 'text', text }], metadata }
}

export function assistantRow(id: string, text = `answer ${id}`, metadata: RowMetadata = {}): NewRow {
  return { id, role: 'assistant', parts: [{ type: 'text', text }], metadata }
}

export function toolPart(toolCallId: string, fields: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'dynamic-tool',
    toolCallId,
    toolName: 'bash',
    state: 'output-available',
    input: { command: 'ls' },
    output: { text: 'a\nb' },
    ...fields
  }
}

/** A batch that begins a window: boundary, lead-in, continuation. */
export function rolloverBatch(id: string): NewRow[] {
  return [
    {
      id: `${id}-boundary`,
      role: 'user',
      parts: [],
      metadata: {
        synthetic: true,
        machine: { type: 'context-window-rollover', rolloverId: id },
        contextBoundaryKind: 'reset',
        rolloverId: id
      }
    },
    {
      id: `${id}-lead-in`,
      role: 'user',
      parts: [{ type: 'text', text: 'You are in a fresh window.' }],
      metadata: { synthetic: true, machine: { type: 'context-window-lead-in' }, rolloverId: id }
    },
    {
      id: `${id}-continue`,
      role: 'user',
      parts: [{ type: 'text', text: 'Go on.' }],
      metadata: { machine: { type: 'continue' } }
    }
  ]
}

export function resetRow(id: string): NewRow {
  return { id, role: 'user', parts: [], metadata: { contextBoundaryKind: 'reset' } }
}
