import { expect, it } from 'vitest'
import { damageInWords } from './damage-in-words'

const place = { windowId: 'w:41', byteOffset: 1_024, bytes: 7, problem: 'unparsed' } as const

it('H-3 a whole history says nothing', () => {
  expect(damageInWords({ total: 0, places: [] })).toEqual([])
})

it.each([
  [1, ''],
  [2, ' and 1 more damaged place'],
  [30, ' and 29 more damaged places']
])('H-3 %i damaged places are one sentence, with where the first is and what became of it', (total, others) => {
  expect(damageInWords({ total, places: [place] })).toEqual([
    `The history holds a line that does not parse (windows/w-41.jsonl, byte 1024)${others}; it is kept on disk as it is and everything else is shown.`
  ])
})
