import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryRows } from '../testing/arbitrary-rows'
import { isBoundary, rowsForProvider, windowIdOfBoundary } from './boundaries'
import { usesOf } from './row-kinds'
import type { Row, RowMetadata } from './row-schema'

function row(id: string, metadata: RowMetadata = {}, role: Row['role'] = 'user'): Row {
  return { id, role, parts: [{ type: 'text', text: id }], metadata }
}

const reset = row('reset', { contextBoundaryKind: 'reset' }, 'assistant')
const summary = row('summary', { contextBoundaryKind: 'compaction' }, 'assistant')
const rollover = row(
  'rollover',
  { machine: { type: 'context-window-rollover' }, contextBoundaryKind: 'reset' },
  'assistant'
)
const leadIn = row('lead-in', { machine: { type: 'context-window-lead-in' } })

function idsSent(rows: readonly Row[]): string[] {
  return rowsForProvider(rows).map(({ id }) => id)
}

describe('rowsForProvider', () => {
  it('R-5 sends nothing at or before a rollover, and the lead-in after it', () => {
    expect(idsSent([row('old'), rollover, leadIn, row('new')])).toEqual(['lead-in', 'new'])
    expect(idsSent([row('old'), reset, row('new')])).toEqual(['new'])
  })

  it('sends a compaction summary itself, and nothing before it', () => {
    expect(idsSent([row('old'), summary, row('new')])).toEqual(['summary', 'new'])
  })

  it('goes by the last boundary of several', () => {
    expect(idsSent([row('a'), summary, row('b'), reset, row('c')])).toEqual(['c'])
    expect(idsSent([reset, rollover])).toEqual([])
  })

  it('H-12 leaves out a rejected input and the request of a compaction', () => {
    const capsule = row('capsule', { machine: { type: 'rejected-input' } }, 'assistant')
    const request = row('request', { machine: { type: 'compaction-request' } })
    expect(idsSent([row('a'), capsule, request, row('b')])).toEqual(['a', 'b'])
  })

  it('sends a machine row of a newer version by its role', () => {
    expect(idsSent([row('a'), row('new', { machine: { type: 'from-the-future' } })])).toEqual(['a', 'new'])
  })

  it('keeps order and identity, and sends only what the table sends, for any rows', () => {
    fc.assert(
      fc.property(arbitraryRows(12), (rows) => {
        const sent = rowsForProvider(rows)
        const last = rows.findLastIndex(isBoundary)
        expect(sent).toEqual(rows.filter((each, index) => index >= last && usesOf(each).provider === 'yes'))
        for (const each of sent) expect(rows).toContain(each)
      }),
      { seed: 1201, numRuns: 300 }
    )
  })
})

describe('windowIdOfBoundary', () => {
  it('S-2 names the window by the sequence of its boundary, and by the row id where there is none', () => {
    expect(windowIdOfBoundary(row('r', { historySequence: 41 }))).toBe('w:41')
    expect(windowIdOfBoundary(row('r'))).toBe('w:m:r')
  })
})
