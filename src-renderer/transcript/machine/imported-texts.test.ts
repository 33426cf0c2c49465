// H-11: lines of another agent's session that are no messages read as words.
import { describe, expect, it } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import { importedLabel, noteText } from './imported-texts'
import { machineLabel } from './machine-texts'

function imported(type: string, note: Readonly<Record<string, unknown>>): Row {
  return { id: 'r', role: 'assistant', parts: [], metadata: { synthetic: true, machine: { ...note, type } } }
}

describe('H-11 U-4: imported lines', () => {
  it('are named and told in words', () => {
    const row = imported('pi-model_change', { provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
    expect(machineLabel(row, 'unknown')).toBe('Model changed')
    expect(noteText(row)).toBe('anthropic:claude-sonnet-4-5')
    expect(noteText(imported('pi-compaction', { summary: 'The port is done.', tokensBefore: 9 }))).toBe(
      'The port is done.'
    )
  })

  it('of a kind that nobody knew say what their fields say', () => {
    expect(importedLabel('pi-some_new_line')).toBe('Imported: some new line')
    expect(noteText(imported('pi-some_new_line', { id: 'x', count: 2, name: 'tide' }))).toBe('count: 2\nname: tide')
    expect(importedLabel('from-the-future')).toBeNull()
  })
})
