// Proves T-3: whenever the snapshot is taken, and however the stream is cut into batches, the window ends
// in the same picture; a gap is noticed, a duplicate is not.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import { linesOf, snapshotOf, textRow } from '../testing/session-builders'
import { acceptSnapshot, applyBatch } from './apply-batch'
import { applyEvent } from './apply-event'
import { IDLE_STATUS, openingSession, sessionOfSnapshot, type SessionBatch, type SessionState } from './session-state'

const rowId = fc.constantFrom('r1', 'r2', 'r3', 'r4')
const row = fc.tuple(rowId, fc.string({ maxLength: 8 })).map(([id, text]) => textRow(id, 'assistant', text))
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  row.map((each): SessionEvent => ({ type: 'row-appended', row: each })),
  row.map((each): SessionEvent => ({ type: 'row-updated', row: each })),
  row.map((each): SessionEvent => ({ type: 'live-started', row: each })),
  rowId.map((id): SessionEvent => ({ type: 'live-dropped', rowId: id })),
  fc
    .tuple(
      rowId,
      fc.nat(2),
      fc.string({ maxLength: 5 }),
      fc.constantFrom('text-delta' as const, 'reasoning-delta' as const)
    )
    .map(([id, partIndex, text, type]): SessionEvent => ({ type, rowId: id, partIndex, text })),
  fc.tuple(rowId, fc.nat(2), fc.string({ maxLength: 5 })).map(([id, partIndex, text]): SessionEvent => ({
    type: 'part-set',
    rowId: id,
    partIndex,
    part: { type: 'text', text }
  })),
  fc
    .tuple(rowId, fc.constantFrom('c1', 'c2'), fc.string({ maxLength: 5 }))
    .map(([id, toolCallId, text]): SessionEvent => ({ type: 'tool-output', rowId: id, toolCallId, text })),
  fc.tuple(rowId, fc.constantFrom('c1', 'c2')).map(([id, toolCallId]): SessionEvent => ({
    type: 'tool-settled',
    rowId: id,
    toolCallId,
    toolName: 'bash',
    state: 'output-available'
  })),
  fc.constantFrom('idle' as const, 'streaming' as const).map((phase): SessionEvent => ({
    type: 'status-changed',
    status: { ...IDLE_STATUS, phase }
  })),
  fc
    .string({ maxLength: 5 })
    .map((content): SessionEvent => ({ type: 'todo-changed', todo: [{ content, status: 'pending' }] }))
)

/** Cuts events into batches, the first event having sequence 1. */
function batchesOf(events: readonly SessionEvent[], cuts: readonly number[]): SessionBatch[] {
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (events.length + 1)), events.length])].toSorted(
    (a, b) => a - b
  )
  return edges.slice(0, -1).map((from, index) => ({
    channel: 'session',
    workspaceId: 'ws-1',
    firstSequence: from + 1,
    events: events.slice(from, edges[index + 1])
  }))
}

function snapshotAfter(state: SessionState) {
  return snapshotOf({
    sequence: state.sequence,
    page: { lines: linesOf(state.history.rows), before: null, skippedLines: 0 },
    live: state.live,
    toolOutputs: state.toolOutputs,
    status: state.status,
    todo: [...state.todo]
  })
}

/** What the person sees; page marks differ between a snapshot and rows that came one by one. */
function shown({ history, link: _link, historyChanges: _changes, ...rest }: SessionState) {
  return { rows: history.rows, ...rest }
}

function after(events: readonly SessionEvent[]): SessionState {
  const start = sessionOfSnapshot(snapshotOf())
  return events.reduce((state, each, index) => ({ ...applyEvent(state, each), sequence: index + 1 }), start)
}

describe('T-3: snapshot and stream join', () => {
  it('a snapshot at any point and the rest equals everything from the start', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.nat(),
        fc.nat(),
        (events, cuts, at, arrives) => {
          const taken = at % (events.length + 1)
          const snapshot = snapshotAfter(after(events.slice(0, taken)))
          const batches = batchesOf(events, cuts)
          const arrival = arrives % (batches.length + 1)
          // Batches that main sent before it took the snapshot may be missed; those after are all heard.
          const heard = batches.filter(
            (batch, index) => index < arrival || batch.firstSequence + batch.events.length > taken
          )
          let state = openingSession('ws-1')
          for (const batch of heard.slice(0, arrival)) state = applyBatch(state, batch)
          state = acceptSnapshot(state, snapshot)
          for (const batch of heard.slice(arrival)) state = applyBatch(state, batch)
          expect(state.link.kind).toBe('following')
          expect(shown(state)).toEqual(shown(after(events)))
        }
      ),
      { seed: 3103, numRuns: 300 }
    )
  })

  it('a batch heard twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (events, cuts) => {
          let state = sessionOfSnapshot(snapshotOf())
          for (const batch of batchesOf(events, cuts)) {
            state = applyBatch(state, batch)
            expect(applyBatch(state, batch)).toBe(state)
          }
          expect(shown(state)).toEqual(shown(after(events)))
        }
      ),
      { seed: 3104, numRuns: 100 }
    )
  })

  it('a gap keeps what is on screen, asks for a snapshot and then goes on', () => {
    const rows = [1, 2, 3].map((n) => textRow(`r${n}`, 'user', `text ${n}`, n))
    const appended = rows.map((each): SessionEvent => ({ type: 'row-appended', row: each }))
    const [first, , third] = appended
    if (first === undefined || third === undefined) throw new Error('three rows were made')
    let state = applyBatch(sessionOfSnapshot(snapshotOf()), batch(1, [first]))
    state = applyBatch(state, batch(3, [third]))
    expect(state.link.kind).toBe('opening')
    expect(state.history.rows).toHaveLength(1)
    state = acceptSnapshot(state, snapshotOf({ sequence: 2 }, rows.slice(0, 2)))
    expect(state.link.kind).toBe('following')
    expect(state.history.rows.map((each) => each.id)).toEqual(['r1', 'r2', 'r3'])
  })

  it('a rewritten history asks for a snapshot and drops the rows it no longer has', () => {
    const [first, second] = [textRow('r1', 'user', 'one', 1), textRow('r2', 'assistant', 'two', 2)]
    const state = applyBatch(
      sessionOfSnapshot(snapshotOf({}, [first, second])),
      batch(1, [{ type: 'history-rewritten' }])
    )
    expect(state.link.kind).toBe('opening')
    const renewed = acceptSnapshot(state, snapshotOf({ sequence: 1 }, [first]))
    expect(renewed.history.rows).toEqual([first])
    expect(renewed.link.kind).toBe('following')
  })

  it('a token leaves committed rows and every other part untouched', () => {
    const start = sessionOfSnapshot(
      snapshotOf({ live: textRow('live', 'assistant', 'a') }, [textRow('r1', 'user', 'q', 1)])
    )
    const next = applyBatch(start, batch(1, [{ type: 'text-delta', rowId: 'live', partIndex: 0, text: 'b' }]))
    expect(next.history).toBe(start.history)
    expect(next.queue).toBe(start.queue)
    expect(next.live?.parts).toEqual([{ type: 'text', text: 'ab' }])
  })
})

function batch(firstSequence: number, events: SessionEvent[]): SessionBatch {
  return { channel: 'session', workspaceId: 'ws-1', firstSequence, events }
}
