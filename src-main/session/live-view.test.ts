// Row, events and view together: whoever comes late sees what those see who watched from the start (T-3).
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import type { Row, StepPart } from '@common/rows/row-schema'
import { createManualClock } from '../provider/testing/manual-clock'
import { LiveRow } from './live-row'
import { LiveView } from './live-view'
import { TurnEvents } from './turn-events'

type Move =
  | { readonly do: 'stream'; readonly part: LanguageModelV3StreamPart }
  | { readonly do: 'print'; readonly toolCallId: string; readonly text: string }
  | { readonly do: 'settle'; readonly toolCallId: string }
  | { readonly do: 'close-step' }
  | { readonly do: 'flush' }

const step: StepPart = {
  type: 'step',
  requestSequence: 1,
  model: 'demo:tide-1',
  usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
}
const id = fc.constantFrom('0', '1')
const toolCallId = fc.constantFrom('call_0', 'call_1')
const word = fc.constantFrom('', 'tide', ' 🌊', '\n')
const signature = fc.constantFrom(undefined, { anthropic: { signature: 's' } }, { anthropic: { signature: null } })

type Signature = { anthropic: { signature: string | null } } | undefined

function signed<T extends object>(part: T, providerMetadata: Signature): T {
  return providerMetadata === undefined ? part : { ...part, providerMetadata }
}

const streamPart: fc.Arbitrary<LanguageModelV3StreamPart> = fc.oneof(
  fc.tuple(id, signature).map(([each, sign]) => signed({ type: 'text-start' as const, id: each }, sign)),
  fc
    .tuple(id, word, signature)
    .map(([each, delta, sign]) => signed({ type: 'text-delta' as const, id: each, delta }, sign)),
  fc.tuple(id, signature).map(([each, sign]) => signed({ type: 'text-end' as const, id: each }, sign)),
  fc.tuple(id, signature).map(([each, sign]) => signed({ type: 'reasoning-start' as const, id: each }, sign)),
  fc
    .tuple(id, word, signature)
    .map(([each, delta, sign]) => signed({ type: 'reasoning-delta' as const, id: each, delta }, sign)),
  fc.tuple(id, signature).map(([each, sign]) => signed({ type: 'reasoning-end' as const, id: each }, sign)),
  toolCallId.map((call) => ({ type: 'tool-call' as const, toolCallId: call, toolName: 'bash', input: '{"a":{"b":1}}' }))
)
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: streamPart.map((part): Move => ({ do: 'stream', part })) },
  {
    weight: 2,
    arbitrary: fc.tuple(toolCallId, word).map(([call, text]): Move => ({ do: 'print', toolCallId: call, text }))
  },
  { weight: 2, arbitrary: toolCallId.map((call): Move => ({ do: 'settle', toolCallId: call })) },
  { weight: 1, arbitrary: fc.constant<Move>({ do: 'close-step' }) },
  { weight: 2, arbitrary: fc.constant<Move>({ do: 'flush' }) }
)

/** One streaming row as the session holds it: every event goes to the view, then to the watchers. */
function streaming() {
  const live = new LiveRow('r', { model: 'demo:tide-1' })
  const view = new LiveView()
  const events = new TurnEvents(createManualClock())
  const published: { event: SessionEvent; asTold: string }[] = []
  const publish = (event: SessionEvent): void => {
    view.apply(event)
    published.push({ event, asTold: JSON.stringify(event) })
    events.emit(event)
  }
  const play = (each: Move): void => {
    switch (each.do) {
      case 'stream':
        return live.apply(each.part, 1).forEach(publish)
      case 'print':
        return publish({ type: 'tool-output', rowId: 'r', toolCallId: each.toolCallId, text: each.text })
      case 'settle':
        return live.settle(each.toolCallId, { state: 'output-available', output: { done: [1] } }).forEach(publish)
      case 'close-step':
        return live.closeStep(step).forEach(publish)
      case 'flush':
        return void events.flush()
    }
  }
  publish(live.started())
  return { live, view, events, published, publish, play }
}

/** What a screen needs of a row; signatures come with the durable row alone. */
function shown(row: Row | null): unknown {
  return row === null ? null : row.parts.map(({ providerMetadata: _signature, ...part }) => part)
}

describe('a watcher that comes late', () => {
  it('T-3 sees, from a snapshot at any point and the batches after it, the row that streams', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), fc.nat(), (moves, at) => {
        const { live, view, events, play } = streaming()
        const cut = at % (moves.length + 1)
        moves.slice(0, cut).forEach(play)
        const sequence = events.flush()
        const snapshot = view.snapshot()
        const asTaken = JSON.stringify(snapshot)

        const late = new LiveView()
        if (snapshot.live !== null) late.apply({ type: 'live-started', row: snapshot.live })
        for (const [call, text] of Object.entries(snapshot.toolOutputs))
          late.apply({ type: 'tool-output', rowId: 'r', toolCallId: call, text })
        let heard = sequence
        events.subscribe((batch) => {
          expect(batch.firstSequence).toBe(heard + 1)
          heard += batch.events.length
          batch.events.forEach((event) => late.apply(event))
        })
        moves.slice(cut).forEach(play)
        events.flush()

        expect(shown(late.snapshot().live)).toEqual(shown(live.row))
        expect(late.snapshot().toolOutputs).toEqual(view.snapshot().toolOutputs)
        expect(JSON.stringify(snapshot)).toBe(asTaken)
      }),
      { seed: 5101, numRuns: 400 }
    )
  })

  it('T-3 sees no live row once it is durable or dropped, and no output of its calls', () => {
    const { live, view, publish, play } = streaming()
    play({ do: 'stream', part: { type: 'tool-call', toolCallId: 'call_0', toolName: 'bash', input: '{}' } })
    play({ do: 'print', toolCallId: 'call_0', text: 'compiling…' })
    publish({ type: 'row-appended', row: { ...live.row, id: 'another' } })
    expect(view.snapshot()).toMatchObject({ live: { id: 'r' }, toolOutputs: { call_0: 'compiling…' } })
    publish({ type: 'row-appended', row: live.row })
    expect(view.snapshot()).toEqual({ live: null, toolOutputs: {} })
    publish(new LiveRow('s', {}).started())
    publish({ type: 'live-dropped', rowId: 's' })
    expect(view.snapshot().live).toBeNull()
  })
})

describe('an event', () => {
  it('T-3 never changes after it was told, however the row goes on', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const { published, play } = streaming()
        moves.forEach(play)
        for (const { event, asTold } of published) expect(JSON.stringify(event)).toBe(asTold)
      }),
      { seed: 5102, numRuns: 300 }
    )
  })
})

describe('LiveView', () => {
  it('keeps the tail of what a call prints, and nothing once it is settled', () => {
    const view = new LiveView()
    for (let line = 0; line < 30; line++)
      view.apply({ type: 'tool-output', rowId: 'r', toolCallId: 'c', text: `${line}`.padEnd(4_096, '.') })
    const kept = view.snapshot().toolOutputs['c'] ?? ''
    expect(kept).toHaveLength(MAX_LIVE_OUTPUT_CHARS)
    expect(kept.startsWith('14.')).toBe(true)
    view.apply({ type: 'tool-settled', rowId: 'r', toolCallId: 'c', toolName: 'bash', state: 'output-available' })
    expect(view.snapshot().toolOutputs).toEqual({})
  })

  it('passes over deltas for a part that is not there', () => {
    const view = new LiveView()
    view.apply({ type: 'text-delta', rowId: 'r', partIndex: 3, text: 'lost' })
    view.apply({ type: 'part-set', rowId: 'r', partIndex: 0, part: { type: 'text', text: 'lost' } })
    expect(view.snapshot().live).toBeNull()
  })
})
