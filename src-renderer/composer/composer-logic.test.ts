// Proves what the composer shows: earlier messages, the banner, the groups of models (U-8).
import { describe, expect, it } from 'vitest'
import { IDLE_STATUS } from '../store/session-state'
import { DEMO_MODEL, model, provider } from '../testing/fake-world'
import { textRow, workspaceView } from '../testing/session-builders'
import { bannerOf } from './banner-of'
import { groupModels, modelLabel, shortLimit, thinkingOptions } from './composer-texts'
import { sentTextsOf } from './sent-texts'

const problem = (outcome: 'failed' | 'interrupted' | 'context_budget_blocked', reason: string | null) => ({
  ...IDLE_STATUS,
  lastProblem: { outcome, reason, message: 'What happened.' }
})

describe('U-8: what stands over the field', () => {
  const workspace = workspaceView()
  const calm = { status: IDLE_STATUS, workspace, model: DEMO_MODEL, providerReady: true, hasRejected: false }

  it('says nothing while the models load or when all is well', () => {
    expect(bannerOf({ ...calm, model: undefined })).toBeNull()
    expect(bannerOf(calm)).toBeNull()
  })

  it('G-1: a blocked budget is told with its own sentence and a way out', () => {
    const banner = bannerOf({ ...calm, status: problem('context_budget_blocked', null) })
    expect(banner).toMatchObject({
      kind: 'blocked',
      text: 'What happened.',
      actions: ['choose-model', 'new-workspace']
    })
  })

  it('P-2, P-8, G-3: each reason offers the ways out that help against it', () => {
    const waysOut = (reason: string, hasRejected = false) =>
      bannerOf({ ...calm, status: problem('context_budget_blocked', reason), hasRejected })?.actions
    expect(waysOut('history_access')).toEqual(['choose-agent', 'compact', 'fresh-window'])
    expect(waysOut('automatic_off')).toEqual(['threshold', 'compact', 'fresh-window'])
    expect(waysOut('fresh_request_too_large', true)).toEqual(['edit-rejected', 'choose-model'])
    expect(waysOut('request_too_large')).toEqual(['compact', 'fresh-window'])
    expect(waysOut('hook')).toEqual(['compact', 'fresh-window'])
  })

  it('T-4: a refused key leads to the settings', () => {
    expect(bannerOf({ ...calm, status: problem('failed', 'auth') })?.actions[0]).toBe('settings')
  })

  it('a stop by the person and a failure that the transcript can retry need no banner', () => {
    expect(bannerOf({ ...calm, status: problem('interrupted', null) })).toBeNull()
    expect(bannerOf({ ...calm, status: problem('failed', 'network') })).toBeNull()
  })

  it('a missing folder comes before everything else', () => {
    const gone = workspaceView({ projectReadable: false })
    expect(bannerOf({ ...calm, status: problem('failed', 'auth'), workspace: gone, model: null })?.kind).toBe(
      'folder-missing'
    )
  })

  it('a model without a key or without a provider says which', () => {
    const locked = model('openai:gpt-5', { name: 'GPT-5', available: false })
    expect(bannerOf({ ...calm, model: locked })?.text).toContain('GPT-5 cannot be used yet')
    expect(bannerOf({ ...calm, model: null, providerReady: false })?.text).toContain('demo:tide-1 is not set up')
    // The list of a server that is not up yet says nothing about the model.
    expect(bannerOf({ ...calm, model: null })).toBeNull()
  })
})

describe('U-8: ↑ walks through what the person wrote', () => {
  it('leaves out answers, machine rows and copies, newest first', () => {
    const machine = textRow('m', 'user', 'Continue.', 3)
    const rows = [
      textRow('a', 'user', 'first', 1),
      textRow('b', 'assistant', 'answer', 2),
      { ...machine, metadata: { ...machine.metadata, synthetic: true, machine: { type: 'continue' } } },
      textRow('d', 'user', 'second', 4),
      textRow('e', 'user', 'second', 5)
    ]
    expect(sentTextsOf(rows)).toEqual(['second', 'first'])
  })
})

describe('L-3: models in the picker', () => {
  it('stand by provider, those without a key last and with the reason', () => {
    const groups = groupModels(
      [model('openai:gpt-5', { available: false }), DEMO_MODEL],
      [provider('openai', { name: 'OpenAI' }), provider('demo', { name: 'Demo' })]
    )
    expect(groups.map((group) => group.unavailable ?? group.name)).toEqual(['Demo', 'OpenAI has no key yet'])
  })

  it('G-2: an unknown limit stays unknown', () => {
    expect([shortLimit(null), shortLimit(24_000), shortLimit(1_048_576), shortLimit(900)]).toEqual([
      '',
      '24k',
      '1M',
      '900'
    ])
  })

  it('L-2: the demo model is labelled', () => {
    expect(modelLabel(DEMO_MODEL, DEMO_MODEL.ref)).toBe('Tide 1 · Demo')
    expect(modelLabel({ ...DEMO_MODEL, name: 'Tide 1 (demo)' }, DEMO_MODEL.ref)).toBe('Tide 1 · Demo')
    expect(modelLabel(null, 'lab:x')).toBe('lab:x')
  })

  it('L-3: a thinking level that the model lacks is told as what comes of it', () => {
    expect(thinkingOptions(['off', 'low'], 'off').map(({ label }) => label)).toEqual(['No thinking', 'Think a little'])
    expect(thinkingOptions(['low'], 'off')[0]).toEqual({ value: 'off', label: 'Least thinking' })
    expect(thinkingOptions(['off', 'low'], 'high')[0]).toEqual({ value: 'high', label: 'Default thinking' })
  })
})
