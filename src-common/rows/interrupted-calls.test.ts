import { expect, test } from 'vitest'
import { INTERRUPTED_CALL_TEXT, isEmptyAnswer, settleInterruptedCalls } from './interrupted-calls'
import type { NewRow, RowPart } from './row-schema'

const row = (...parts: RowPart[]): NewRow => ({ id: 'r', role: 'assistant', parts, metadata: {} })
const call = (state: string): RowPart => ({
  type: 'dynamic-tool',
  toolCallId: state,
  toolName: 'bash',
  state,
  input: {}
})

test('H-4 a call without a result becomes interrupted, and says that its effect is not known', () => {
  const settled = settleInterruptedCalls(
    row(call('output-available'), call('input-available'), { type: 'text', text: 't' })
  )
  expect(settled.parts).toEqual([
    call('output-available'),
    { ...call('input-available'), state: 'interrupted', errorText: INTERRUPTED_CALL_TEXT },
    { type: 'text', text: 't' }
  ])
})

test('H-4 a row whose calls are settled is the very same row', () => {
  const settled = row(call('output-available'), call('output-denied'), call('output-error'), call('interrupted'))
  expect(settleInterruptedCalls(settled)).toBe(settled)
})

test('H-4 an answer is empty when nobody could read anything in it', () => {
  const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  expect(isEmptyAnswer(row())).toBe(true)
  expect(isEmptyAnswer(row({ type: 'text', text: '' }, { type: 'step', requestSequence: 1, model: 'm', usage }))).toBe(
    true
  )
  expect(isEmptyAnswer(row({ type: 'reasoning', text: 'hm' }))).toBe(false)
  expect(isEmptyAnswer(row(call('input-available')))).toBe(false)
  expect(isEmptyAnswer(row({ type: 'hologram' }))).toBe(false)
})
