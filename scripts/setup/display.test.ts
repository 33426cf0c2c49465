// Proves that starting without a display ends in an explanation and not in a crash of Chromium.
import { describe, expect, it } from 'vitest'
import { requireDisplay } from './display.mjs'

describe('requireDisplay', () => {
  it('explains what to do on Linux without a display', () => {
    expect(() => requireDisplay({}, 'linux')).toThrow(/no display[\s\S]*xvfb-run/)
  })

  it('accepts X11, Wayland and other systems', () => {
    expect(() => requireDisplay({ DISPLAY: ':0' }, 'linux')).not.toThrow()
    expect(() => requireDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).not.toThrow()
    expect(() => requireDisplay({}, 'darwin')).not.toThrow()
  })
})
