// The row table of the specification, written out once more: each use, for each kind.
import { describe, expect, it } from 'vitest'
import { ROW_KINDS, rowKindOf, usesOf } from './row-kinds'
import type { RowKind, RowUses } from './row-kinds'
import type { Row, RowMetadata } from './row-schema'

function rowOf(role: Row['role'], metadata: RowMetadata): Row {
  return { id: 'r', role, parts: [], metadata }
}

type Line = [
  kind: RowKind,
  provider: RowUses['provider'],
  screen: RowUses['screen'],
  agentHistory: RowUses['agentHistory'],
  windowEligible: boolean,
  startsTurn: boolean,
  editAnchor: boolean,
  boundary: RowUses['boundary']
]

const TABLE: Line[] = [
  ['person', 'yes', 'message', 'yes', true, true, true, 'none'],
  ['assistant', 'yes', 'message', 'yes', true, false, false, 'none'],
  ['compaction-summary', 'yes', 'message', 'yes', true, false, false, 'inclusive'],
  ['plain-reset', 'no', 'divider', 'kind-only', false, false, false, 'exclusive'],
  ['context-window-rollover', 'no', 'divider', 'kind-only', false, false, false, 'exclusive'],
  ['context-window-lead-in', 'yes', 'debug', 'no', false, false, false, 'none'],
  ['context-budget-warning', 'yes', 'line', 'yes', false, false, false, 'none'],
  ['continue', 'yes', 'line', 'yes', false, false, false, 'none'],
  ['goal-continuation', 'yes', 'line', 'yes', false, false, false, 'none'],
  ['compaction-request', 'own-request', 'line', 'no', false, false, false, 'none'],
  ['prelude', 'yes', 'line', 'if-visible', false, false, false, 'none'],
  ['file-change-notice', 'yes', 'line', 'if-visible', false, false, false, 'none'],
  ['branch-summary', 'yes', 'line', 'if-visible', false, false, false, 'none'],
  ['preserved-tail-copy', 'yes', 'hidden', 'no', false, false, false, 'none'],
  ['rejected-input', 'no', 'not-sent', 'no', false, false, true, 'none'],
  ['unknown', 'yes', 'line', 'if-visible', false, false, false, 'none']
]

describe('the row table', () => {
  it.each(TABLE)(
    'answers each use of %s as the specification does (00, P-1, S-3, H-12)',
    (kind, provider, screen, agentHistory, windowEligible, startsTurn, editAnchor, boundary) => {
      expect(ROW_KINDS[kind]).toEqual({
        provider,
        screen,
        agentHistory,
        windowEligible,
        startsTurn,
        editAnchor,
        boundary,
        budgetInternal: !windowEligible
      })
    }
  )

  it('has a line for each kind and no other', () => {
    expect(TABLE.map(([kind]) => kind).toSorted()).toEqual(Object.keys(ROW_KINDS).toSorted())
  })
})

describe('rowKindOf', () => {
  it('reads a row without machine by its boundary, then by its role', () => {
    expect(rowKindOf(rowOf('user', {}))).toBe('person')
    expect(rowKindOf(rowOf('assistant', {}))).toBe('assistant')
    expect(rowKindOf(rowOf('assistant', { contextBoundaryKind: 'compaction' }))).toBe('compaction-summary')
    expect(rowKindOf(rowOf('assistant', { contextBoundaryKind: 'reset' }))).toBe('plain-reset')
    expect(rowKindOf(rowOf('user', { contextBoundaryKind: 'reset' }))).toBe('plain-reset')
  })

  it('tells a rollover from a plain reset by its machine note (R-1)', () => {
    const machine = { type: 'context-window-rollover', rolloverId: 'x' }
    expect(rowKindOf(rowOf('assistant', { machine, contextBoundaryKind: 'reset' }))).toBe('context-window-rollover')
  })

  it.each(['from-the-future', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'reads the machine type %j, which no version knows, as unknown',
    (type) => {
      expect(rowKindOf(rowOf('user', { machine: { type } }))).toBe('unknown')
      expect(usesOf(rowOf('user', { machine: { type } }))).toBe(ROW_KINDS.unknown)
    }
  )

  it.each(['person', 'assistant', 'compaction-summary', 'plain-reset', 'unknown'])(
    'never lets a machine note pass itself off as %s, so that no machine row starts a turn',
    (type) => {
      expect(rowKindOf(rowOf('user', { machine: { type } }))).toBe('unknown')
    }
  )
})
