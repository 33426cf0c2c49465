import { expect, it } from 'vitest'
import { SessionPhase } from '@common/contract/views'
import { movePhase } from './session-phase'

const LEGAL = ['idle preparing', 'preparing streaming', 'preparing settling', 'streaming settling', 'settling idle']

it('T-1 a session moves from idle over preparing, streaming and settling to idle, and no other way', () => {
  for (const from of SessionPhase.options) {
    for (const to of SessionPhase.options) {
      if (LEGAL.includes(`${from} ${to}`)) expect(movePhase(from, to)).toBe(to)
      else expect(() => movePhase(from, to), `${from} ${to}`).toThrow(`cannot go from ${from} to ${to}`)
    }
  }
})

it('T-1 every phase leads to idle', () => {
  expect(movePhase(movePhase(movePhase('preparing', 'streaming'), 'settling'), 'idle')).toBe('idle')
})
