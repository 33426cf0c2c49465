// Proves the words and numbers of the meter (U-6): sections, marks and what a threshold comes to.
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '@common/settings/settings-schema'
import { DEMO_MODEL, model, NO_SECTIONS } from '../testing/fake-world'
import { sectionLines } from './section-lines'
import { endText, marksText, percentOfThreshold, thresholdOfPercent, thresholdText } from './threshold-texts'
import { windowMarksOf } from './window-marks'

const SONNET = model('anthropic:claude-sonnet-4-5')
const settings = { ...defaultSettings(), experiments: { tokenBudget: true } }

describe('U-6 the marks of a window', () => {
  it('stand where main decides: warning, rollover and hard ceiling of this model under this threshold', () => {
    expect(windowMarksOf(SONNET, settings)).toEqual({
      modelRef: SONNET.ref,
      maxTokens: 200_000,
      hardCeiling: 191_808,
      warningPoint: 120_000,
      atEnd: 'rolls over',
      endPoint: 150_000
    })
    const moved = windowMarksOf(SONNET, { ...settings, modelThresholds: { [SONNET.ref]: 0.5 } })
    expect(moved).toMatchObject({ warningPoint: 95_904, endPoint: 110_000 })
  })

  it('say in a sentence what they come to', () => {
    const sentence = (threshold: number) => {
      const marks = windowMarksOf(SONNET, { ...settings, autoThreshold: threshold })
      return marks === null ? null : marksText(marks)
    }
    expect(sentence(0.7)).toBe('The agent is asked for its notes at 60 %, then the window rolls over at 75 %.')
    expect(sentence(1)).toBe('Nothing is done before the end: the window stops at 95 %.')
    // No room for a warning: half of the ceiling is the first point at which one makes sense.
    expect(sentence(0.4)).toBe('The window rolls over at 45 %.')
    const off = windowMarksOf(SONNET, defaultSettings())
    expect(off === null ? null : marksText(off)).toBe(
      'The window compacts at 75 %: a model writes a summary, and the work goes on from it.'
    )
    const demo = windowMarksOf(DEMO_MODEL, defaultSettings())
    expect(demo === null ? null : endText(demo)).toBe('rolls over at 75 %')
  })
})

describe('U-6 the threshold', () => {
  it('goes from 20 % to 95 % and off, there and back', () => {
    expect([0.2, 0.7, 0.95, 1, 1.5].map(percentOfThreshold)).toEqual([20, 70, 95, 100, 100])
    expect([20, 70, 95, 100].map(thresholdOfPercent)).toEqual([0.2, 0.7, 0.95, 1])
    expect([95, 100].map(thresholdText)).toEqual(['95 %', 'off'])
  })
})

describe('U-6 what the window holds', () => {
  const counted = {
    ...NO_SECTIONS,
    sections: { ...NO_SECTIONS.sections, messages: 9_000, toolResults: 120 },
    tokens: 12_716
  }

  it('lists every section with its share, then the reserve and what is free', () => {
    const lines = sectionLines(counted, 24_000).map(({ name, tokens, share }) => `${name} ${tokens} ${share}`)
    expect(lines).toEqual([
      'System 412 2 %',
      'Tools 3184 13 %',
      'Memories 0 0 %',
      'Notes 0 0 %',
      'Messages 9000 38 %',
      'Tool results 120 <1 %',
      'Output reserve 2000 8 %',
      'Free 9284 39 %'
    ])
  })

  it('claims no share and no room of a limit that is not known', () => {
    const lines = sectionLines({ ...counted, outputReserve: null }, null)
    expect(lines.map(({ share }) => share).join('')).toBe('')
    expect(lines.map(({ name }) => name)).not.toContain('Free')
  })
})
