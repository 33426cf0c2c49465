// Proves the keyboard of the window (U-11).
import { describe, expect, it } from 'vitest'
import { commandOfKeys, keysOf, SHORTCUTS, type PressedKeys } from './shortcut-text'

const press = (key: string, held: Partial<PressedKeys> = {}): PressedKeys => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held
})

describe('U-11: shortcuts', () => {
  it('uses Ctrl, and Cmd on a Mac', () => {
    expect(commandOfKeys(press('k', { ctrlKey: true }), 'linux')).toBe('open-palette')
    expect(commandOfKeys(press('k', { metaKey: true }), 'darwin')).toBe('open-palette')
    expect(commandOfKeys(press('k', { ctrlKey: true }), 'darwin')).toBeNull()
    expect(keysOf('open-palette', 'darwin')).toBe('⌘+K')
  })

  it('leaves plain letters and other combinations alone', () => {
    expect(commandOfKeys(press('n'), 'linux')).toBeNull()
    expect(commandOfKeys(press('N', { ctrlKey: true, shiftKey: true }), 'linux')).toBeNull()
    expect(commandOfKeys(press('n', { ctrlKey: true, altKey: true }), 'linux')).toBeNull()
  })

  it('tells a shortcut from the same one with Shift', () => {
    expect(commandOfKeys(press('f', { ctrlKey: true }), 'linux')).toBe('find')
    expect(commandOfKeys(press('F', { ctrlKey: true, shiftKey: true }), 'linux')).toBe('search-everywhere')
  })

  it('hears Esc, F6 and a shifted slash', () => {
    expect(commandOfKeys(press('Escape'), 'linux')).toBe('interrupt')
    expect(commandOfKeys(press('F6'), 'linux')).toBe('next-region')
    expect(commandOfKeys(press('/', { ctrlKey: true, shiftKey: true }), 'linux')).toBe('open-shortcuts')
  })

  it('gives no two commands the same keys', () => {
    const keys = SHORTCUTS.map((shortcut) => shortcut.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
