import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/settings-schema'
import { budgetModeOf, chooseStrategy, notEffectiveTexts, STRATEGY_PRECEDENCE } from './budget-mode'

const settings = defaultSettings()
const on = { ...settings, experiments: { tokenBudget: true } }
const off = { ...settings, experiments: { tokenBudget: false } }

it.each([
  ['off by default', settings, 'anthropic:sea-1', undefined, false],
  ['on by the setting', on, 'anthropic:sea-1', undefined, true],
  ['off for one send', on, 'anthropic:sea-1', { tokenBudget: false }, false],
  ['on for one send', off, 'anthropic:sea-1', { tokenBudget: true }, true],
  ['untouched by another experiment', on, 'anthropic:sea-1', { other: false }, true],
  ['on for the demo model', settings, 'demo:tide-1', undefined, true],
  ['off for the demo model once switched off', off, 'demo:tide-1', undefined, false]
])('G-1 is %s', (_name, given, modelRef, experiments, expected) => {
  expect(budgetModeOf({ settings: given, modelRef, experiments }).isTokenBudget).toBe(expected)
})

it('00 takes the threshold of the model, else the one for all', () => {
  const given = { ...settings, autoThreshold: 0.6, modelThresholds: { 'a:b': 1 } }
  expect(budgetModeOf({ settings: given, modelRef: 'a:b', experiments: undefined }).threshold).toBe(1)
  expect(budgetModeOf({ settings: given, modelRef: 'a:c', experiments: undefined }).threshold).toBe(0.6)
})

describe('G-2 the precedence of strategies', () => {
  const all = { continuousCompaction: true, rlm: true, tokenBudget: true }
  const present = STRATEGY_PRECEDENCE.map((slot) => ({ ...slot, exists: true }))

  it.each([
    [all, 'continuous'],
    [{ ...all, continuousCompaction: false }, 'rlm'],
    [{ tokenBudget: true }, 'token-budget'],
    [{}, 'summarise']
  ])('of %o, where all of them exist, takes %s', (wants, expected) => {
    expect(chooseStrategy(wants, present)).toEqual({ id: expected, notEffective: [] })
  })

  it('C-6 passes over what this version does not have, and says which setting has no effect', () => {
    expect(chooseStrategy(all).id).toBe('token-budget')
    expect(chooseStrategy({ rlm: true }).id).toBe('summarise')
    const told = notEffectiveTexts(all)
    expect(told).toEqual([
      expect.stringContaining('experiments.continuousCompaction is not effective'),
      expect.stringContaining('experiments.rlm is not effective: RLM is not in this version')
    ])
    expect(notEffectiveTexts({ rlm: false, tokenBudget: true })).toEqual([])
    const mode = { settings: { ...settings, experiments: all }, modelRef: 'a:b', experiments: undefined }
    expect(budgetModeOf(mode).isTokenBudget).toBe(true)
  })
})
