// Proves the words about a compaction (U-3, C-1, C-3, C-5).
import { describe, expect, it } from 'vitest'
import type { Row, RowMetadata } from '@common/rows/row-schema'
import { rowSource } from '../testing/row-builders'
import { compactionFacts, trimmedText, writtenText } from './compaction-texts'
import { dividerDetails, dividerFacts } from './dividers/divider-texts'
import { machineLabel, machinePreview, machineText } from './machine/machine-texts'

describe('U-3 the divider of a compaction', () => {
  it.each([
    [{ reason: 'manual' }, 'at your wish'],
    [{ reason: 'automatic' }, 'the window was full'],
    [{ reason: 'idle', idleHours: 9 }, 'nothing happened for 9 hours'],
    [{ reason: 'idle', idleHours: 1 }, 'nothing happened for 1 hour']
  ])('says what it came to, and why: %o', (figures, why) => {
    const row = rowSource().compaction('Summary.', figures)
    expect(dividerFacts(row, 'compaction', 3)).toEqual(['Compaction', 'window 3', '12.4k → 1.1k tokens', why])
  })

  it('says nothing that the row does not', () => {
    const row: Row = { id: 'r', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'compaction' } }
    expect(dividerFacts(row, 'compaction', null)).toEqual(['Compaction'])
    expect([trimmedText(row), writtenText(row), compactionFacts(row)]).toEqual([null, null, []])
    expect(compactionFacts(rowSource().compaction('x', { reason: 'from-the-future' }))).toEqual(['12.4k → 1.1k tokens'])
  })

  it('C-1 tells what found no room in the request for the summary', () => {
    const of = (trimmedRows: number) => trimmedText(rowSource().compaction('Summary.', { trimmedRows }))
    expect(of(0)).toBeNull()
    expect(of(1)).toMatch(/^The oldest row found no room in the request for the summary/)
    expect(of(12)).toMatch(/^The oldest 12 rows found no room .* knows nothing of them/)
  })

  it('opens to who wrote the summary', () => {
    const details = new Map(dividerDetails(rowSource().compaction('Summary.'), 'compaction'))
    expect(details.get('Written by')).toBe('anthropic:claude-sonnet · 9.4 s · $0.02')
    expect(details.get('Why')).toContain('Every row is kept here')
  })
})

describe('C-1 C-5 the row that asked for a summary', () => {
  const asked = (note: object, metadata: RowMetadata = {}): Row =>
    rowSource().machine('compaction-request', 'Summarise this conversation.', {
      machine: { type: 'compaction-request', ...note },
      ...metadata
    })
  const line = (row: Row) => [machineLabel(row, 'compaction-request'), machinePreview(row, 'compaction-request')]

  it('says why it was asked', () => {
    expect(line(asked({ reason: 'manual' }))).toEqual(['Asked for a summary', 'at your wish'])
    expect(line(asked({ reason: 'manual', instructions: 'the parser' }))).toEqual(['Asked for a summary', 'the parser'])
    expect(line(asked({ reason: 'idle', idleHours: 8 }))[1]).toBe('nothing happened for 8 hours')
  })

  it('says that there is none, and why', () => {
    const failed = asked({ reason: 'manual' }, { error: { kind: 'network', message: 'The line is dead.' } })
    expect(line(failed)).toEqual(['No summary was made', 'The line is dead.'])
    expect(machineText(failed, 'compaction-request')).toBe('The line is dead.\n\nSummarise this conversation.')
    const stopped = asked({ reason: 'manual' }, { interrupted: true })
    expect(line(stopped)).toEqual(['No summary was made', 'It was stopped. The window stays as it is.'])
  })
})
