// Proves the words of verifying a window (H-6).
import { describe, expect, it } from 'vitest'
import { checkText } from './verify-texts'

describe('H-6: verifying says what it found', () => {
  it('counts the rows that are as written, and names the first that is not', () => {
    expect(checkText({ kind: 'verified', rows: 1 })).toBe('Verified: 1 row as written.')
    expect(checkText({ kind: 'differs', message: 'Row #57 was changed.' })).toBe('Row #57 was changed.')
  })
})
