import { expect, it } from 'vitest'
import { ValueCache } from './value-cache'

it('F-7 a value is found again while what it was made from is the very same, and made anew for anything else', () => {
  const cache = new ValueCache<{ made: number }>()
  const [key, part, equalPart] = [{}, { text: 'a' }, { text: 'a' }]
  let made = 0
  const ask = (...from: unknown[]) => cache.findOrMake(key, from, () => ({ made: ++made })).made
  expect([ask(part, 'id'), ask(part, 'id')]).toEqual([1, 1])
  expect([ask(equalPart, 'id'), ask(part), ask('id', part), ask(part, 'id', null)]).toEqual([2, 3, 4, 5])
  expect(cache.find({}, [part, 'id', null])).toBeUndefined()
  expect(cache.find(key, [part, 'id', null])).toEqual({ made: 5 })
})
