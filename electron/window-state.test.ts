// Proves that a window opens on a screen that is there, whatever config.json says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fitToScreens, readWindowState } from './window-state'

const SCREEN = { x: 0, y: 0, width: 1600, height: 1000 }

describe('readWindowState', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'window-state-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('reads the stored state', () => {
    writeFileSync(join(folder, 'config.json'), '{"window":{"x":1,"y":2,"width":900,"height":700}}')
    expect(readWindowState(join(folder, 'config.json'))).toEqual({ x: 1, y: 2, width: 900, height: 700 })
  })

  it.each(['{', 'null', '[]', '{"window":{"width":"wide"}}', '{}'])('falls back on %s', (text) => {
    writeFileSync(join(folder, 'config.json'), text)
    expect(readWindowState(join(folder, 'config.json'))).toEqual({ width: 1280, height: 840 })
  })

  it('falls back where there is no file', () => {
    expect(readWindowState(join(folder, 'none.json'))).toEqual({ width: 1280, height: 840 })
  })
})

describe('fitToScreens', () => {
  it('keeps a state that fits', () => {
    const state = { x: 10, y: 20, width: 900, height: 700, maximized: true }
    expect(fitToScreens(state, [SCREEN])).toEqual(state)
  })

  it('drops a position on a screen that is gone and shrinks to the largest that is there', () => {
    expect(fitToScreens({ x: 2000, y: 20, width: 3000, height: 2000 }, [SCREEN])).toEqual({ width: 1600, height: 1000 })
    expect(fitToScreens({ x: 10, y: -300, width: 900, height: 700 }, [SCREEN])).toEqual({ width: 900, height: 700 })
  })

  it('accepts a second screen to the left', () => {
    const state = { x: -1500, y: 0, width: 900, height: 700 }
    expect(fitToScreens(state, [SCREEN, { ...SCREEN, x: -1600 }])).toEqual(state)
  })

  it('never goes below the minimum', () => {
    expect(fitToScreens({ width: 1, height: 1 }, [SCREEN])).toEqual({ width: 375, height: 480 })
  })
})
