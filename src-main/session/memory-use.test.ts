import { expect, it } from 'vitest'
import { memoryUseKey, memoryUseOf } from './memory-use'

const MAY = [{ match: '.*', action: 'allow' }] as const
const budget = (isTokenBudget: boolean) => ({ isTokenBudget })

it('W-0 G-5 the key of a system text knows the mode where memory is on, and nothing of it where it is off', () => {
  const keyOf = (memory: 'on' | 'read-only' | 'off', hotMemories: boolean, isTokenBudget: boolean): string =>
    memoryUseKey(memoryUseOf({ memory, hotMemories }, MAY, budget(isTokenBudget)))
  for (const memory of ['on', 'read-only'] as const)
    for (const hot of [true, false]) expect(keyOf(memory, hot, true)).not.toBe(keyOf(memory, hot, false))
  expect(keyOf('off', true, true)).toBe(keyOf('off', false, false))
  // As versions without notes wrote it: their windows keep their text.
  expect(keyOf('on', true, false)).toBe('on, preloaded')
})

it('N-1 an agent whose policy denies the memory tool has no notes', () => {
  expect(memoryUseOf({ memory: 'on', hotMemories: true }, [], budget(true))).toEqual({
    access: 'off',
    isPreloaded: false,
    hasNotes: false
  })
})
