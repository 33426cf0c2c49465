// V-2 L-4: an answer that was under way reads, up to the steps that were sent, the same from what it is stored as.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MAX_ROW_BYTES } from '@common/constants'
import { divideRow } from '@common/rows/divide-row'
import { arbitraryPart } from '@common/testing/arbitrary-rows'
import { isKnownPart, readRow, type Row, type RowPart } from '@common/rows/row-schema'
import { settleInterruptedCalls } from '@common/rows/interrupted-calls'
import { digestPrompt } from './canonical-request'
import { buildPrompt } from './prepare-request'
import { envelopeOf, type SentRequest } from './request-log-envelope'
import { replayRowsOf } from './replay-rows'

const MODEL = 'anthropic:sea-1'
const settings = { modelRef: MODEL, systemText: 'You.', loadAttachment: async () => null }
const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }

/** Long enough, a few together, that the answer is divided when it is stored. */
const long = fc
  .record({ letter: fc.constantFrom('a', '"', '🌊'), share: fc.double({ min: 0.1, max: 1.5, noNaN: true }) })
  .map(({ letter, share }): RowPart => ({
    type: 'text',
    text: letter.repeat((MAX_ROW_BYTES * share) / letter.length / 2)
  }))
const part = fc.oneof({ weight: 6, arbitrary: arbitraryPart }, { weight: 2, arbitrary: long })
const steps = fc.array(
  fc.array(part, { maxLength: 5 }).map((parts) => parts.filter(({ type }) => type !== 'step')),
  { minLength: 1, maxLength: 4 }
)

/** Ids are unique in a row, and a call without a result has none of its fields. */
function asStreamed(part: RowPart, place: string): RowPart {
  if (!isKnownPart(part) || part.type !== 'dynamic-tool') return part
  const { output, errorText, ...call } = { ...part, toolCallId: `${part.toolCallId} ${place}` }
  return part.state === 'input-available'
    ? call
    : { ...call, output, ...(errorText === undefined ? {} : { errorText }) }
}

function answerOf(done: readonly (readonly RowPart[])[]): Row {
  const parts = done.flatMap((said, index): RowPart[] => [
    ...said.map((part, at) => asStreamed(part, `${index}-${at}`)),
    { type: 'step', requestSequence: index + 1, model: MODEL, usage }
  ])
  return { id: 'answer', role: 'assistant', parts, metadata: { model: MODEL } }
}

it('V-2 L-4 any answer under way is built again from the rows that it was stored as, after any of its steps', async () => {
  const person: Row = {
    id: 'person',
    role: 'user',
    parts: [{ type: 'text', text: 'Go.' }],
    metadata: { historySequence: 1 }
  }
  await fc.assert(
    fc.asyncProperty(steps, async (said) => {
      const stored = divideRow(settleInterruptedCalls(answerOf(said)), () => crypto.randomUUID()).map((row, index) =>
        readRow(JSON.parse(JSON.stringify({ ...row, metadata: { ...row.metadata, historySequence: index + 2 } })))
      )
      const window = [person, ...stored].flatMap((row) => (row === null ? [] : [{ row, from: 'window' as const }]))
      for (let done = 1; done <= said.length; done++) {
        const liveRow = answerOf(said.slice(0, done))
        const sent = await buildPrompt([person, liveRow], settings)
        const request: SentRequest['request'] = {
          kind: 'prepared',
          purpose: 'turn',
          prompt: sent,
          tools: [],
          modelRef: MODEL,
          callOptions: { prompt: sent },
          tokensAtMost: 1,
          counted: false
        }
        const digest = { ...digestPrompt(sent), tools: [] }
        const envelope = envelopeOf(
          { requestSequence: done, attempt: 0, windowId: 'w:0', rows: [person], liveRow, request },
          digest,
          { before: null, nowMs: 0 }
        )
        const { rows } = replayRowsOf(envelope, window)
        expect(digestPrompt(await buildPrompt(rows, settings)).messages).toEqual(digest.messages)
      }
    }),
    { seed: 8_203, numRuns: 60 }
  )
})
