import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { StepPart } from '@common/rows/row-schema'
import { LiveRow } from './live-row'

const step: StepPart = {
  type: 'step',
  requestSequence: 1,
  model: 'demo:tide-1',
  usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
}

function streamed(...parts: LanguageModelV3StreamPart[]) {
  const live = new LiveRow('r', { model: 'demo:tide-1' })
  const events = parts.flatMap((part) => live.apply(part, 1_000))
  return { live, events, parts: live.row.parts }
}

const call = (toolCallId: string, input = '{"command":"ls"}'): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'bash',
  input
})

describe('LiveRow', () => {
  it('T-3 grows a text part and tells each delta by the place of its part', () => {
    const { parts, events } = streamed(
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      { type: 'text-delta', id: 't', delta: 'lo' },
      { type: 'text-end', id: 't' }
    )
    expect(parts).toEqual([{ type: 'text', text: 'Hello' }])
    expect(events).toEqual([
      { type: 'part-set', rowId: 'r', partIndex: 0, part: { type: 'text', text: '' } },
      { type: 'text-delta', rowId: 'r', partIndex: 0, text: 'Hel' },
      { type: 'text-delta', rowId: 'r', partIndex: 0, text: 'lo' }
    ])
  })

  it('keeps two parts apart that grow at once, also under one id', () => {
    const { parts } = streamed(
      { type: 'reasoning-start', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'said' },
      { type: 'reasoning-delta', id: '0', delta: 'thought' },
      { type: 'text-end', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: ' more' }
    )
    expect(parts).toEqual([
      { type: 'reasoning', text: 'thought more' },
      { type: 'text', text: 'said' }
    ])
  })

  it('T-4 loses no text whose start was lost on the way', () => {
    expect(streamed({ type: 'text-delta', id: 'x', delta: 'still said' }).parts).toEqual([
      { type: 'text', text: 'still said' }
    ])
  })

  it('begins new parts after a step, since servers count theirs from zero again', () => {
    const { live } = streamed({ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: 'one' })
    live.closeStep(step)
    live.apply({ type: 'text-delta', id: '0', delta: 'two' }, 0)
    expect(live.row.parts.map((part) => ('text' in part ? part.text : part.type))).toEqual(['one', 'step', 'two'])
  })

  it('L-4 puts a signature together that comes in pieces, and lets nothing take it away', () => {
    const { parts, events } = streamed(
      { type: 'reasoning-start', id: 'r', providerMetadata: { anthropic: { redacted: false } } },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { anthropic: { signature: 'c2ln' } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: null } } }
    )
    expect(parts).toEqual([
      {
        type: 'reasoning',
        text: 'hm',
        providerMetadata: { anthropic: { redacted: false, signature: 'c2ln' } }
      }
    ])
    expect(events).toHaveLength(2)
  })

  it.each([
    ['{"command":"ls"}', { command: 'ls' }],
    ['', {}],
    [' ', {}],
    ['{"command":"l', '{"command":"l'],
    ['[1]', [1]],
    ['null', null]
  ])('keeps the input %j of a call as the model wrote it', (input, kept) => {
    expect(streamed(call('c', input)).parts).toEqual([
      {
        type: 'dynamic-tool',
        toolCallId: 'c',
        toolName: 'bash',
        state: 'input-available',
        input: kept,
        startedAtMs: 1_000
      }
    ])
  })

  it('gives each call exactly one outcome', () => {
    const { live } = streamed(call('c'))
    const events = live.settle('c', { state: 'output-available', output: 'a' })
    expect(events).toMatchObject([
      { type: 'part-set', partIndex: 0, part: { state: 'output-available', output: 'a' } },
      { type: 'tool-settled', rowId: 'r', toolCallId: 'c', toolName: 'bash', state: 'output-available' }
    ])
    expect(live.settle('c', { state: 'output-error', errorText: 'late' })).toEqual([])
    expect(live.settle('nobody', { state: 'output-available' })).toEqual([])
    expect(live.row.parts).toMatchObject([{ state: 'output-available', output: 'a' }])
    expect(live.unsettledCalls).toEqual([])
  })

  it('gives calls of one id each their own outcome, since some servers number them from zero', () => {
    const { live } = streamed(call('call_0'))
    live.settle('call_0', { state: 'output-available', output: 'first' })
    live.closeStep(step)
    live.apply(call('call_0'), 0)
    live.apply(call('call_0'), 0)
    const [second, third] = live.unsettledCalls.map((part) => part.toolCallId)
    // They run side by side: the later one may be done first.
    live.settle(third ?? '', { state: 'output-available', output: 'third' })
    live.settle(second ?? '', { state: 'output-available', output: 'second' })
    expect(live.unsettledCalls).toEqual([])
    expect(live.row.parts.flatMap((part) => ('output' in part ? [part.output] : []))).toEqual([
      'first',
      'second',
      'third'
    ])
  })

  it('settles a tool that the provider ran itself from the stream', () => {
    const { parts, live } = streamed(
      { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{"q":"tide"}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { hits: 3 } }
    )
    expect(parts).toMatchObject([{ providerExecuted: true, state: 'output-available', output: { hits: 3 } }])
    expect(live.unsettledCalls).toEqual([])
  })

  it('says in words what a tool of the provider failed with', () => {
    const { parts } = streamed(
      { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { code: 'down' }, isError: true }
    )
    expect(parts).toMatchObject([{ state: 'output-error', errorText: '{"code":"down"}' }])
  })

  it('keeps a source as a part that this version does not draw', () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'https://example.org' } as const
    expect(streamed(source).parts).toEqual([source])
  })

  it('says nothing of stream parts that are not about the row', () => {
    const { events, parts } = streamed(
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'x' },
      { type: 'tool-input-start', id: 'c', toolName: 'bash' },
      { type: 'text-end', id: 'nobody' }
    )
    expect([events, parts]).toEqual([[], []])
  })
})
