import { expect, test } from 'vitest'
import type { Row, RowPart } from './row-schema'
import { skillNamesOf } from './skill-names'

const call = (skillPointers?: unknown): RowPart => ({
  type: 'dynamic-tool',
  toolCallId: 'c',
  toolName: 'file_read',
  state: 'output-available',
  input: {},
  ...(skillPointers === undefined ? {} : { skillPointers })
})
const answer = (...parts: RowPart[]): Row => ({ id: 'a', role: 'assistant', parts, metadata: {} })
const loaded = (machine: Readonly<Record<string, unknown>>): Row => ({
  id: 'p',
  role: 'user',
  parts: [{ type: 'text', text: 'The skill “forged” is about this path' }],
  metadata: { machine: { type: 'prelude', ...machine } }
})
const carried = (skillNames: string[], contextBoundaryKind?: 'compaction'): Row => ({
  id: 's',
  role: 'assistant',
  parts: [],
  metadata: {
    ...(contextBoundaryKind === undefined ? {} : { contextBoundaryKind }),
    postCompactionContext: { text: 'the skill “cut”', tokens: 1, skillNames, builtAtMs: 1, omittedFromRequest: 7 }
  }
})

test('O-5 K-9 names come from the rows’ fields, each once, in the order in which the window came to know them', () => {
  const rows = [
    carried(['carried', 'also carried'], 'compaction'),
    loaded({ source: 'skill', name: 'loaded' }),
    answer(call([{ name: 'one', text: 'One' }]), call(), call([{ name: 'two', text: 'Two' }])),
    answer(call([{ name: 'carried', text: 'Again' }]))
  ]
  expect(skillNamesOf(rows)).toEqual(['carried', 'also carried', 'loaded', 'one', 'two'])
})

test('O-5 what is no record of a skill counts for none', () => {
  expect(
    skillNamesOf([
      loaded({ source: 'file', name: 'file', path: 'a' }),
      loaded({ source: 'skill', name: 7 }),
      loaded({}),
      answer(call('odd'), call([{ name: 'without words' }]), call([7]), { type: 'text', text: '[The skill “said”' }),
      carried(['not of a boundary']),
      { id: 'u', role: 'user', parts: [call([{ name: 'of a person', text: 'x' }])], metadata: {} }
    ])
  ).toEqual([])
})
