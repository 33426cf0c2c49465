import { expect, test } from 'vitest'
import { baselinesOf } from './file-baselines'
import type { Row } from './row-schema'

function answer(...seen: readonly object[]): Row {
  const parts = seen.map((each, index) => ({
    type: 'dynamic-tool' as const,
    toolCallId: `c${index}`,
    toolName: 'file_edit',
    state: 'output-available' as const,
    input: {},
    seen: each
  }))
  return { id: 'a', role: 'assistant', parts, metadata: {} }
}

function machine(note: { type: string; [field: string]: unknown }): Row {
  return { id: 'm', role: 'user', parts: [], metadata: { synthetic: true, machine: note } }
}

const at = (path: string, content: string, more: object = {}): object => ({
  path,
  content,
  bytes: 1,
  seenAtMs: 1,
  ...more
})

function contents(...rows: readonly Row[]): [string, string][] {
  return [...baselinesOf(rows)].map(([path, seen]) => [path, seen.content])
}

test('O-4: results, snapshots and notices move baselines; what was seen last stands last', () => {
  const rows = [
    answer(at('a', 'A'), at('b', 'B')),
    machine({ type: 'prelude', source: 'file', path: 'c', seen: at('c', 'C') }),
    machine({ type: 'file-change-notice', files: [at('a', 'none', { bytes: undefined })] })
  ]
  expect(contents(...rows)).toEqual([
    ['b', 'B'],
    ['c', 'C'],
    ['a', 'none']
  ])
})

test('O-4: a capsule, a hidden field of another kind and damaged notes move none', () => {
  const rows = [
    machine({ type: 'rejected-input', seen: at('a', 'A'), files: [at('a', 'A')] }),
    machine({ type: 'prelude', source: 'skill' }),
    machine({ type: 'prelude', seen: { path: 'a' } }),
    machine({ type: 'file-change-notice', files: 'all' }),
    machine({ type: 'file-change-notice', files: [null, 7, { path: 'a', content: 5, seenAtMs: 1 }] }),
    answer({ path: 'a' }, { content: 'A', seenAtMs: 1 })
  ]
  expect(contents(...rows)).toEqual([])
})

test('O-4: edits of one step build on each other in whichever order they are stored', () => {
  const first = at('a', 'B', { before: 'A' })
  const second = at('a', 'C', { before: 'B' })
  for (const step of [
    [first, second],
    [second, first]
  ])
    expect(contents(answer(at('a', 'A')), answer(...step))).toEqual([['a', 'C']])
})

test('O-4: an edit of what the model did not see leaves the older baseline, until the whole is seen', () => {
  const rows = [answer(at('a', 'A')), answer(at('a', 'C', { before: 'B' }))]
  expect(contents(...rows)).toEqual([['a', 'A']])
  expect(contents(...rows, answer(at('a', 'C', { isPart: true })))).toEqual([['a', 'A']])
  expect(contents(...rows, answer(at('a', 'C')))).toEqual([['a', 'C']])
})

test('O-4: a part is a baseline where there was none, or no file', () => {
  const part = answer(at('a', 'B', { isPart: true }))
  expect(contents(part)).toEqual([['a', 'B']])
  const gone = machine({ type: 'file-change-notice', files: [{ path: 'a', content: 'none', seenAtMs: 1 }] })
  expect(contents(gone, part)).toEqual([['a', 'B']])
})
