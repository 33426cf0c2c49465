// Proves the words of checking a window (H-6).
import { describe, expect, it } from 'vitest'
import { checkText, sealText } from './window-check-texts'

describe('H-6: a divider says whether its window is as written', () => {
  it('counts the rows, and says verified only where every one is as it was noted', () => {
    expect(sealText(null)).toBe('checking')
    expect(sealText({ kind: 'verified', rows: 1 })).toBe('1 row · verified')
    expect(sealText({ kind: 'differs', rows: 1_480, message: 'Row 57 was changed.' })).toBe(
      '1,480 rows · not as written'
    )
    expect(sealText({ kind: 'failed', message: 'The disk failed.' })).toBe('could not be checked')
  })

  it('says what reading it again came to', () => {
    expect(checkText({ kind: 'verified', rows: 2 })).toBe('Read again: 2 rows as written.')
    expect(checkText({ kind: 'differs', rows: 2, message: 'Row 57 was changed.' })).toBe('Read again: not as written.')
  })
})
