import { expect, it } from 'vitest'
import type { Row } from '@common/rows/row-schema'
import { leadInText, sealedResultOf } from './lead-in'

const request = { messageId: 'a1', quote: 'Fix the “retry” test', isCut: false }
const facts = {
  reason: 'mid-stream',
  previousWindowId: 'w:41',
  interrupted: request,
  input: null,
  notesCarried: true,
  sealedResult: { toolName: 'bash', itemId: 'i:57' }
} as const

it('R-1 says what happened, what was asked, where the notes are and how to fetch the rest', () => {
  expect(leadInText(facts)).toBe(
    [
      'The context window before this one was full, so it rolled over and a fresh window began here. What was said so far stands whole in window w:41.',
      'The request to work on (m:a1): “Fix the "retry" test”',
      'Your turn was interrupted by this and goes on now; what its tools did is done, so do not repeat it.',
      'Your working notes (/memories/workspace/context-notes.md) are among the memories above, as you left them.',
      'A session_history tool, if available, reaches window w:41 and those before it: search it for details instead of guessing.',
      'The last result of bash was long; read it page by page with session_history {"action": "read_item", "item_id": "i:57"}.'
    ].join('\n')
  )
})

it('R-1 names the interrupted request beside a message that carries the rollover, and each only once', () => {
  const input = { messageId: 'b2', quote: 'And the docs', isCut: true }
  const both = leadInText({ ...facts, input })
  expect(both).toContain('The message to answer follows below (m:b2): “And the docs…” (cut here)')
  expect(both).toContain('Before it the work was on (m:a1)')
  const once = leadInText({ ...facts, input: request })
  expect(once.match(/m:a1/g)).toHaveLength(1)
})

it('R-1 says nothing of what is not there', () => {
  const bare = leadInText({
    ...facts,
    reason: 'on-send',
    interrupted: null,
    notesCarried: false,
    sealedResult: null
  })
  expect(bare.split('\n')).toHaveLength(2)
})

it('R-1 points to the longest result of the newest answer, by an id that outlives a rewrite', () => {
  const call = (toolName: string, chars: number, metadata = {}) => ({
    type: 'dynamic-tool' as const,
    toolCallId: toolName,
    toolName,
    state: 'output-available' as const,
    input: {},
    output: 'x'.repeat(chars),
    ...metadata
  })
  const answer = (parts: Row['parts'], historySequence?: number): Row => ({
    id: 'ans',
    role: 'assistant',
    parts,
    metadata: historySequence === undefined ? {} : { historySequence }
  })
  expect(sealedResultOf([answer([call('grep', 9_000), call('bash', 20_000)], 57)])).toEqual({
    toolName: 'bash',
    itemId: 'i:57'
  })
  expect(sealedResultOf([answer([call('bash', 100, { outputSpill: { id: 's', bytes: 4_000_000 } })])])?.itemId).toBe(
    'm:ans'
  )
  expect(sealedResultOf([answer([call('bash', 100)], 57)])).toBeNull()
  expect(sealedResultOf([])).toBeNull()
})
