import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundaryNatureOf } from './rollover-row'

const rollover = {
  id: 'b',
  role: 'assistant',
  parts: [],
  metadata: {
    synthetic: true,
    machine: {
      type: 'context-window-rollover',
      rolloverId: 'r1',
      reason: 'mid-stream',
      previousWindowId: 'w:0',
      flushOpportunity: true,
      contextTokens: 18_000,
      maxTokens: 24_000
    },
    contextBoundaryKind: 'reset',
    timestamp: 1,
    historySequence: 7
  }
}

/** A deep copy with the field at the dotted path changed; undefined takes it away. */
function changed(path: string, value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(rollover))
  const names = path.split('.')
  let at = copy as Record<string, unknown>
  for (const name of names.slice(0, -1)) at = at[name] as Record<string, unknown>
  at[names.at(-1) ?? ''] = value
  return JSON.parse(JSON.stringify(copy))
}

test('S-3 a rollover of the whole form is automatic, also with fields of a newer version', () => {
  expect(boundaryNatureOf(rollover)).toBe('rollover')
  expect(boundaryNatureOf(changed('metadata.rolloverId', 'r1'))).toBe('rollover')
  expect(boundaryNatureOf(changed('metadata.machine.notesCarried', true))).toBe('rollover')
  expect(boundaryNatureOf(changed('metadata.historySequence', undefined))).toBe('rollover')
  expect(boundaryNatureOf(changed('metadata.machine.previousWindowId', 'w:m:some-id'))).toBe('rollover')
})

test.each([
  ['metadata.machine', undefined],
  ['metadata.machine.type', 'context-window-lead-in'],
  ['metadata.machine.rolloverId', undefined],
  ['metadata.machine.rolloverId', ''],
  ['metadata.machine.reason', 'because'],
  ['metadata.machine.previousWindowId', 'window 3'],
  ['metadata.machine.flushOpportunity', 'yes'],
  ['metadata.machine.contextTokens', -1],
  ['metadata.machine.maxTokens', 0],
  ['metadata.rolloverId', 'another'],
  ['metadata.synthetic', false],
  ['metadata.historySequence', '7'],
  ['metadata.postCompactionContext', { text: 'x' }],
  ['metadata.contextBoundaryKind', 'Reset'],
  ['metadata.contextBoundaryKind', { kind: 'reset' }],
  ['role', 'user'],
  ['parts', [{ type: 'text', text: 'hi' }]],
  ['parts', undefined],
  ['id', undefined]
])('S-3 a reset whose %s is %j is a person’s', (path, value) => {
  expect(boundaryNatureOf(changed(path, value))).toBe('manual')
})

test('S-3 a line is a boundary by its own metadata only', () => {
  const quoted = { id: 'q', role: 'user', parts: [rollover], metadata: { note: rollover.metadata } }
  expect(boundaryNatureOf(quoted)).toBeNull()
  expect(boundaryNatureOf({ contextBoundaryKind: 'reset' })).toBeNull()
  expect(boundaryNatureOf({ metadata: { contextBoundaryKind: 'compaction' } })).toBe('compaction')
  expect(boundaryNatureOf({ metadata: { contextBoundaryKind: 'reset' } })).toBe('manual')
})

test('S-3 no value whatever makes the question throw, and none but a whole rollover is automatic', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(['compaction', 'manual', null]).toContain(boundaryNatureOf(value))
    }),
    { seed: 3, numRuns: 500 }
  )
})
