// Proves what an edit says that it cuts (U-9).
import { describe, expect, it } from 'vitest'
import { rowSource, text } from '../testing/row-builders'
import { cutAfter } from './row-cut'

describe('U-9: editing from here says what it cuts', () => {
  it('counts the messages and the windows after the row', () => {
    const source = rowSource()
    const rows = [
      source.person('first'),
      source.assistant([text('one')]),
      source.boundary('rollover'),
      source.machine('context-budget-warning', 'soon full'),
      source.person('second'),
      source.assistant([text('two')])
    ]
    expect(cutAfter(rows, 'r1')).toEqual({ messages: 3, windows: 1 })
    expect(cutAfter(rows, 'r5')).toEqual({ messages: 1, windows: 0 })
    expect(cutAfter(rows, 'gone')).toBeNull()
  })
})
