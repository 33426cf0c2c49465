// Proves the reasons for which rows are in no message of a request (V-3), each from the row table or the envelope.
import { expect, it } from 'vitest'
import type { Row, RowMetadata } from '@common/rows/row-schema'
import { leftOutOf, type LeftOutFacts } from './left-out'
import type { RequestEnvelope } from './request-log-lines'

function row(id: string, metadata: RowMetadata = {}, role: Row['role'] = 'user'): Row {
  return { id, role, parts: [{ type: 'text', text: id }], metadata }
}

function envelope(changes: Partial<RequestEnvelope> = {}): RequestEnvelope {
  const digest = { bytes: 1, sha256: 'ab' }
  return {
    requestSequence: 7,
    type: 'request',
    kind: 'turn',
    attempt: 0,
    atMs: 0,
    model: 'a:b',
    windowId: 'w:0',
    lastHistorySequence: 9,
    rows: [[1, 9]],
    liveRow: null,
    system: digest,
    after: null,
    messages: { total: 0, shared: 0, added: [], chain: '' },
    estimate: { tokensAtMost: 1, counted: false },
    ...changes
  }
}

function leftOut(windowRows: Row[], given: Row[], changes: Partial<LeftOutFacts> = {}): string[] {
  const entries = leftOutOf({
    envelope: envelope(),
    windowRows,
    cutIds: new Set(),
    replay: { rows: given, cutRows: 0, missing: [], isAnswerMissing: false },
    messages: [],
    earlierWindows: 0,
    ...changes
  })
  return entries.map(({ what, why, rowId }) => `${what} | ${why} | ${rowId ?? ''}`)
}

const summary = row('s', {
  contextBoundaryKind: 'compaction',
  postCompactionContext: { text: 'plan', tokens: 1, skillNames: [], builtAtMs: 0, omittedFromRequest: 7 }
})

it('V-3 P-3 a rejected input was in no request', () => {
  const rejected = row('x', { synthetic: true, machine: { type: 'rejected-input' } })
  const rows = [row('a'), rejected, row('b')]
  expect(leftOut(rows, rows)).toEqual(['1 rejected input | It was never sent; it is kept so that nothing is lost. | x'])
})

it('V-3 C-1 rows that a summary found no room for are named together, the first of them to go to', () => {
  const rows = [row('a'), row('b'), row('c')]
  const compaction = { envelope: envelope({ kind: 'compaction' }) }
  expect(leftOut(rows, rows.slice(2), compaction)).toEqual([
    '2 rows | The oldest rows found no room in the request for the summary. | a'
  ])
  const question = row('q', { synthetic: true, machine: { type: 'compaction-request' } })
  expect(leftOut([...rows, question], [...rows, question], compaction)).toEqual([])
  expect(leftOut([...rows, question], [...rows, question])).toEqual([
    '1 question for a summary | It goes into its own request alone. | q'
  ])
})

it('V-3 K-4 what a compaction carried over is left out from the marked request on, not before', () => {
  const said = 'What the compaction carried over'
  expect(leftOut([summary], [summary]).join()).toContain(said)
  expect(leftOut([summary], [summary], { envelope: envelope({ requestSequence: 6 }) })).toEqual([])
})

it('V-3 H-10 a row that an edit cut before the request is not taken for one that was sent and cut since', () => {
  const rows = [row('a'), row('b')]
  const cutIds = new Set(['a', 'b'])
  expect(leftOut(rows, rows.slice(1), { cutIds })).toEqual([
    '1 row | An edit of the history cut it before this request. | a'
  ])
})
