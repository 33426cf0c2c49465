import { describe, expect, it } from 'vitest'
import { placeOf } from './tooltip'

const VIEW = { width: 400, height: 300 }
const BUBBLE = { width: 100, height: 20 }

function control(left: number, top: number) {
  return { left, top, width: 24, height: 24 }
}

describe('placeOf', () => {
  it('stands in the middle of the wanted side', () => {
    expect(placeOf(control(188, 138), BUBBLE, 'top', VIEW)).toEqual({ left: 150, top: 112 })
    expect(placeOf(control(188, 138), BUBBLE, 'right', VIEW)).toEqual({ left: 218, top: 140 })
  })

  it('goes to the other side where the wanted one has no room', () => {
    expect(placeOf(control(188, 4), BUBBLE, 'top', VIEW).top).toBe(34)
    expect(placeOf(control(372, 138), BUBBLE, 'right', VIEW).left).toBe(266)
    expect(placeOf(control(188, 272), BUBBLE, 'bottom', VIEW).top).toBe(246)
  })

  it('never leaves the window', () => {
    expect(placeOf(control(0, 138), BUBBLE, 'top', VIEW).left).toBe(8)
    expect(placeOf(control(376, 138), BUBBLE, 'bottom', VIEW).left).toBe(292)
  })
})
