import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import type { RowPart } from '@common/rows/row-schema'
import { renderEvent } from './render-event'

function set(part: RowPart): SessionEvent {
  return { type: 'part-set', rowId: 'r', partIndex: 0, part }
}

function call(input: unknown, state = 'input-available'): SessionEvent {
  return set({ type: 'dynamic-tool', toolCallId: 'c', toolName: 'bash', state, input })
}

function settled(state: 'output-available' | 'output-denied'): SessionEvent {
  return { type: 'tool-settled', rowId: 'r', toolCallId: 'c', toolName: 'bash', state }
}

describe('renderEvent', () => {
  it('60 prints the answer as it comes, and neither thoughts nor live output', () => {
    expect(renderEvent({ type: 'text-delta', rowId: 'r', partIndex: 0, text: 'Hel' })).toBe('Hel')
    expect(renderEvent({ type: 'reasoning-delta', rowId: 'r', partIndex: 0, text: 'hm' })).toBe('')
    expect(renderEvent({ type: 'tool-output', rowId: 'r', toolCallId: 'c', text: 'noise' })).toBe('')
  })

  it.each([
    [{ command: 'npm test\nrm x' }, 'npm test'],
    [{ path: 'src/a.ts', limit: 5 }, 'src/a.ts'],
    [{ pattern: 'TODO' }, 'TODO'],
    [{ question: 'Which?' }, 'Which?'],
    [{ command: 'x'.repeat(200) }, 'x'.repeat(100)],
    [{ items: [] }, ''],
    [{ command: 5 }, ''],
    ['half written', ''],
    [null, '']
  ])('60 prints a call of %j with what tells it apart: %j', (input, telling) => {
    expect(renderEvent(call(input))).toBe(`\n▸ bash ${telling}`)
  })

  it('60 prints how a call ended', () => {
    expect(renderEvent(settled('output-available'))).toBe('  ✓\n')
    expect(renderEvent(settled('output-denied'))).toBe('  ✗ bash (output-denied)\n')
  })

  it('prints nothing for a part that is no new call', () => {
    for (const event of [
      call({ command: 'ls' }, 'output-available'),
      call({ command: 'ls' }, 'output-streaming'),
      set({ type: 'text', text: 'a' }),
      set({ type: 'hologram' })
    ])
      expect(renderEvent(event)).toBe('')
  })
})
