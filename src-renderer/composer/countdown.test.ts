// Proves when the composer counts down and what it says (U-5).
import { describe, expect, it } from 'vitest'
import { defaultSettings, type Settings } from '@common/settings/settings-schema'
import { windowMarksOf } from '../context-panel/window-marks'
import { DEMO_MODEL, model } from '../testing/fake-world'
import { countdownOf } from './countdown'

const SONNET = model('anthropic:claude-sonnet-4-5')
const on = (changes: Partial<Settings> = {}): Settings => ({
  ...defaultSettings(),
  experiments: { tokenBudget: true },
  ...changes
})

function textAt(contextTokens: number, settings = on(), busy = false, info: typeof SONNET | null = SONNET) {
  return countdownOf({ contextTokens }, windowMarksOf(info, settings), busy)
}

describe('U-5 the countdown', () => {
  it('says nothing while the end is far, and begins before the agent is warned', () => {
    // Warned at 60 % of 200k; the countdown begins 10 points before.
    expect(textAt(99_999)).toBeNull()
    expect(textAt(100_000)).toEqual({ text: 'rolls over in 25 % · about 50k tokens', isNear: false })
    expect(textAt(126_000)).toEqual({ text: 'rolls over in 12 % · about 24k tokens', isNear: true })
  })

  it('at the point counts as over: the next request rolls over', () => {
    expect(textAt(149_999)?.text).toBe('rolls over in less than 1 % · about 1 token')
    expect(textAt(150_000)?.text).toBe('rolls over with your next message')
    expect(textAt(180_000, on(), true)?.text).toBe('rolls over at the next step')
  })

  it('says stops, measured to the hard ceiling, where the threshold is off', () => {
    const off = on({ autoThreshold: 1 })
    expect(textAt(150_000, off)).toBeNull()
    expect(textAt(181_808, off)?.text).toBe('stops in 5 % · about 10k tokens')
    expect(textAt(181_808, on({ modelThresholds: { [SONNET.ref]: 1 } }))?.text).toBe('stops in 5 % · about 10k tokens')
  })

  it('says compacts where the experiment is off, and nobody is warned of that', () => {
    const off = on({ experiments: { tokenBudget: false } })
    expect(textAt(129_999, off)).toBeNull()
    expect(textAt(148_000, off)).toEqual({ text: 'compacts in 1 % · about 2k tokens', isNear: false })
    expect(textAt(150_000, off)).toEqual({ text: 'compacts with your next message', isNear: true })
  })

  it('says nothing for an unknown limit, an unknown model and before anything was measured', () => {
    expect(textAt(150_000, on(), false, { ...SONNET, contextLimit: null })).toBeNull()
    expect(textAt(150_000, on(), false, null)).toBeNull()
    expect(countdownOf(null, windowMarksOf(SONNET, on()), false)).toBeNull()
  })

  it('is on for the demo model unless it was switched off', () => {
    expect(textAt(14_000, defaultSettings(), false, DEMO_MODEL)?.text).toBe('rolls over in 16 % · about 4k tokens')
    const off = on({ experiments: { tokenBudget: false } })
    expect(textAt(17_500, off, false, DEMO_MODEL)?.text).toBe('compacts in 2 % · about 500 tokens')
  })
})
