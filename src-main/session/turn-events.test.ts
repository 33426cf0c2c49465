import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAME_MS, MAX_IPC_STRING_BYTES, MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import { createManualClock } from '../provider/testing/manual-clock'
import { joinDeltas, TurnEvents } from './turn-events'
import type { SessionBatch } from './turn-events'

function text(said: string, partIndex = 0, rowId = 'r'): SessionEvent {
  return { type: 'text-delta', rowId, partIndex, text: said }
}

function output(said: string, toolCallId = 'c', rowId = 'r'): SessionEvent {
  return { type: 'tool-output', rowId, toolCallId, text: said }
}

const dropped: SessionEvent = { type: 'live-dropped', rowId: 'r' }

function watched(): { events: TurnEvents; batches: SessionBatch[]; clock: ReturnType<typeof createManualClock> } {
  const clock = createManualClock()
  const events = new TurnEvents(clock)
  const batches: SessionBatch[] = []
  events.subscribe((batch) => batches.push(batch))
  return { events, batches, clock }
}

describe('TurnEvents', () => {
  it('T-3 tells what happened in a frame as one batch, deltas of a part joined', async () => {
    const { events, batches, clock } = watched()
    for (const said of ['Hel', 'lo', '!']) events.emit(text(said))
    events.emit(dropped)
    expect(batches).toEqual([])
    await clock.advance(FRAME_MS)
    expect(batches).toEqual([{ firstSequence: 1, events: [text('Hello!'), dropped] }])
    expect(clock.sleeps).toEqual([FRAME_MS])
    events.emit(text('next'))
    await clock.advance(FRAME_MS)
    expect(batches[1]).toEqual({ firstSequence: 3, events: [text('next')] })
  })

  it('T-3 answers the sequence of the last event told, and tells nothing twice', async () => {
    const { events, batches, clock } = watched()
    expect(events.flush()).toBe(0)
    events.emit(text('a'))
    expect(events.flush()).toBe(1)
    expect(events.flush()).toBe(1)
    await clock.advance(FRAME_MS)
    expect(batches).toHaveLength(1)
  })

  it('T-3 lets a watcher go, and a late one hears what follows only', async () => {
    const { events, clock } = watched()
    const late: SessionBatch[] = []
    events.emit(text('a'))
    const sequence = events.flush()
    const stop = events.subscribe((batch) => late.push(batch))
    events.emit(text('b'))
    await clock.advance(FRAME_MS)
    stop()
    events.emit(text('c'))
    await clock.advance(FRAME_MS)
    expect(late).toEqual([{ firstSequence: sequence + 1, events: [text('b')] }])
  })

  it('keeps events that a watcher causes for the next batch', () => {
    const { events, batches } = watched()
    const stop = events.subscribe(() => {
      stop()
      events.emit(dropped)
    })
    events.emit(text('a'))
    events.flush()
    events.flush()
    expect(batches).toEqual([
      { firstSequence: 1, events: [text('a')] },
      { firstSequence: 2, events: [dropped] }
    ])
  })
})

describe('joinDeltas', () => {
  it.each<[string, SessionEvent, SessionEvent]>([
    ['of two parts', text('a', 0), text('b', 1)],
    ['of two rows', text('a', 0, 'r'), text('b', 0, 's')],
    ['of text and reasoning', text('a'), { type: 'reasoning-delta', rowId: 'r', partIndex: 0, text: 'b' }],
    ['of two calls', output('a', 'c'), output('b', 'd')],
    ['of calls of one id in two rows', output('a', 'c', 'r'), output('b', 'c', 's')],
    ['with any other event', text('a'), dropped],
    ['that would pass what crosses in one event', text('a'), text('b'.repeat(MAX_IPC_STRING_BYTES / 4))]
  ])('does not join deltas %s', (_name, first, second) => expect(joinDeltas(first, second)).toBeNull())

  it('keeps of the live output of a call the tail that a screen shows, however much is printed in a frame', () => {
    const joined = joinDeltas(output('old'.repeat(MAX_LIVE_OUTPUT_CHARS)), output('new'))
    expect(joined).toMatchObject({ text: expect.stringMatching(/old.*new$/s) })
    expect(joined?.type === 'tool-output' ? joined.text.length : 0).toBe(MAX_LIVE_OUTPUT_CHARS)
  })

  it('T-3 never reorders, loses or repeats a character, whatever is told in whatever frames', () => {
    const word = fc.string({ minLength: 1, maxLength: 4 })
    const event: fc.Arbitrary<SessionEvent | 'flush'> = fc.oneof(
      fc.tuple(word, fc.nat({ max: 1 }), fc.constantFrom('r', 's')).map(([said, part, row]) => text(said, part, row)),
      fc.tuple(word, fc.constantFrom('c', 'd')).map(([said, call]) => output(said, call)),
      fc.constant(dropped),
      fc.constant('flush' as const)
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (told) => {
        const { events, batches } = watched()
        for (const each of told) {
          if (each === 'flush') events.flush()
          else events.emit(each)
        }
        const last = events.flush()
        expect(batches.flatMap((batch) => batch.events.flatMap(spelled))).toEqual(
          told.flatMap((each) => (each === 'flush' ? [] : spelled(each)))
        )
        let next = 1
        for (const batch of batches) {
          expect(batch.firstSequence).toBe(next)
          next += batch.events.length
        }
        expect(last).toBe(next - 1)
      }),
      { seed: 5001, numRuns: 300 }
    )
  })
})

/** An event, character by character: what joining must not change. */
function spelled(event: SessionEvent): string[] {
  if (event.type !== 'text-delta' && event.type !== 'tool-output') return [event.type]
  const of = event.type === 'text-delta' ? `${event.rowId}/${event.partIndex}` : `${event.rowId}/${event.toolCallId}`
  return [...event.text].map((character) => `${of} ${character}`)
}
