// Proves the words for what a compaction carries over (K-8).
import { expect, it } from 'vitest'
import type { CarryOverView } from '@common/contract/context-views'
import { carryLines, carrySummary, withMoved } from './carry-texts'

const VIEW: CarryOverView = {
  isOn: true,
  items: [
    { kind: 'plan', id: 'plan', isOn: true, path: '.tidemark/plans/ws.md', problem: null },
    { kind: 'file', id: 'file:src/a.ts', isOn: true, path: 'src/a.ts', added: 3, removed: 1 },
    { kind: 'todo', id: 'todo', isOn: false, count: 1 },
    { kind: 'skill', id: 'skill:sql', isOn: true, name: 'sql' }
  ]
}

it('K-8 names each item and what it is', () => {
  expect(carryLines(VIEW).map(({ name, hint }) => `${name} | ${hint}`)).toEqual([
    'Plan | .tidemark/plans/ws.md',
    'src/a.ts | edited, +3 −1 lines',
    'To-do list | 1 item',
    'Skill sql | null'
  ])
  const tooLong = { kind: 'plan', id: 'plan', isOn: true, path: 'p.md', problem: 'it is no text.' } as const
  expect(carryLines({ isOn: true, items: [tooLong] })[0]?.hint).toBe('p.md: it is no text.')
})

it('K-8 sums up how much is carried, and follows a switch at once', () => {
  expect(carrySummary(VIEW)).toBe('3 of 4')
  const all = withMoved(VIEW, 'todo', true)
  expect(carrySummary(all)).toBe('all 4')
  const none = withMoved(all, null, false)
  expect(carrySummary(none)).toBe('nothing')
  expect(none.items).toEqual(all.items)
  expect(carrySummary({ isOn: true, items: [] })).toBe('nothing yet')
})
