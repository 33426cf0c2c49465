// Proves the keys of the composer (U-8).
import { describe, expect, it } from 'vitest'
import { intentOf, type FieldState, type KeyPress } from './composer-keys'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  altKey: false,
  commandKey: false,
  composing: false,
  ...held
})
const field = (changes: Partial<FieldState> = {}): FieldState => ({
  text: 'words',
  listOpen: false,
  typedInFull: false,
  recalling: false,
  editing: false,
  caretOnFirstLine: true,
  caretOnLastLine: true,
  ...changes
})

describe('U-8: keys of the composer', () => {
  it('Enter sends, with Ctrl or Cmd after the turn, with Shift it is a new line', () => {
    expect(intentOf(press('Enter'), field())).toBe('send')
    expect(intentOf(press('Enter', { commandKey: true }), field())).toBe('send-after-turn')
    expect(intentOf(press('Enter', { shiftKey: true }), field())).toBeNull()
  })

  it('every key belongs to the input method while it composes', () => {
    for (const key of ['Enter', 'Escape', 'ArrowUp', 'Tab'])
      expect(intentOf(press(key, { composing: true }), field({ listOpen: true, text: '' }))).toBeNull()
  })

  it('an open list takes arrows, Enter, Tab and Esc', () => {
    const open = field({ listOpen: true })
    expect(['ArrowUp', 'ArrowDown', 'Enter', 'Tab', 'Escape'].map((key) => intentOf(press(key), open))).toEqual([
      'list-up',
      'list-down',
      'list-take',
      'list-take',
      'list-close'
    ])
    expect(intentOf(press('Enter', { commandKey: true }), open)).toBe('send-after-turn')
  })

  it('Enter sends a command that was typed in full, though the list offers it', () => {
    const open = field({ text: '/compact', listOpen: true, typedInFull: true })
    expect(['Enter', 'Tab', 'Escape'].map((key) => intentOf(press(key), open))).toEqual([
      'send',
      'list-take',
      'list-close'
    ])
  })

  it('↑ recalls only from an empty field or while recalling', () => {
    expect(intentOf(press('ArrowUp'), field())).toBeNull()
    expect(intentOf(press('ArrowUp'), field({ text: '' }))).toBe('recall-older')
    expect(intentOf(press('ArrowUp'), field({ recalling: true }))).toBe('recall-older')
    expect(intentOf(press('ArrowUp'), field({ recalling: true, caretOnFirstLine: false }))).toBeNull()
    expect(intentOf(press('ArrowDown'), field({ text: '' }))).toBeNull()
    expect(intentOf(press('ArrowDown'), field({ recalling: true }))).toBe('recall-newer')
  })

  it('Esc leaves the field alone when there is nothing to leave, so that it can stop the turn', () => {
    expect(intentOf(press('Escape'), field())).toBeNull()
    expect(intentOf(press('Escape'), field({ recalling: true }))).toBe('recall-stop')
    expect(intentOf(press('Escape'), field({ editing: true }))).toBe('edit-stop')
  })
})
