import { expect, it } from 'vitest'
import { toldLines } from './told-lines'

const line = (id: string, historySequence?: number): string =>
  `${JSON.stringify({ id, role: 'user', parts: [], metadata: { historySequence } })}\n`

it.each([
  ['nothing of an empty page', '', 9, ''],
  ['every row that was told', line('a', 1) + line('b', 2), 2, line('a', 1) + line('b', 2)],
  ['no row that was not', line('a', 1) + line('b', 2) + line('c', 3), 1, line('a', 1)],
  ['nothing where no row was told', line('a', 1) + line('b', 2), 0, ''],
  ['rows without a sequence', line('a', 1) + line('b') + line('c', 3), 1, line('a', 1) + line('b')]
])('T-3 a page keeps %s', (_name, lines, toldSequence, kept) => {
  expect(toldLines(lines, toldSequence)).toBe(kept)
})
