// Proves the sentence that says what broke a prefix (V-1, L-4): the first thing that changed is named.
import { expect, it } from 'vitest'
import { prefixBreakText, prefixOf } from './logged-prefix'
import type { LoggedRequest } from './request-log-reader'

interface Made {
  readonly model?: string
  readonly kind?: string
  readonly windowId?: string
  readonly system?: string
  /** `name` or `name=content`. */
  readonly tools?: readonly string[]
  readonly messages?: readonly string[]
}

function logged(made: Made = {}): LoggedRequest {
  const { model = 'a:b', kind = 'turn', windowId = 'w:0', system = 'system' } = made
  const { tools = ['bash', 'grep'], messages = ['one', 'two'] } = made
  return {
    envelope: {
      requestSequence: 1,
      type: 'request',
      kind,
      attempt: 0,
      atMs: 0,
      model,
      windowId,
      lastHistorySequence: 1,
      rows: [],
      liveRow: null,
      system: { bytes: 10, sha256: system },
      after: null,
      messages: { total: messages.length, shared: 0, added: [], chain: '' },
      estimate: { tokensAtMost: 1, counted: false }
    },
    tools: tools.map((tool) => ({ name: tool.split('=')[0] ?? tool, bytes: 5, sha256: tool })),
    messages: messages.map((sha256, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', bytes: 7, sha256 }))
  }
}

function said(before: Made, now: Made): string | null {
  const [previous, next] = [logged(before), logged(now)]
  const change = prefixOf(previous, next)
  if (change === null) throw new Error('Both requests are known whole.')
  return prefixBreakText(previous, next, change)
}

it.each<[string, Made, string | null]>([
  ['nothing that only adds', { messages: ['one', 'two', 'three'] }, null],
  ['nothing that ends earlier', { messages: ['one'] }, null],
  ['the model', { model: 'a:c' }, 'The model changed from a:b to a:c, which has a cache of its own.'],
  ['a schema', { tools: ['bash', 'grep=2'] }, 'The schema of the tool grep is the first that changed.'],
  ['a tool more', { tools: ['bash', 'grep', 'glob'] }, 'The tool glob is offered now.'],
  ['tools less', { tools: [] }, 'No longer offered: bash, grep.'],
  ['another tool', { tools: ['bash', 'glob'] }, 'The list of tools changed: glob stands where grep was.'],
  ['the system text', { system: 'else' }, 'The system text is the first that changed.'],
  ['a message', { messages: ['one', 'else'] }, 'Message 2 (assistant) is the first that changed.'],
  [
    'a fresh window',
    { windowId: 'w:5', messages: ['else'] },
    'A fresh window began. Message 1 (user) is the first that changed.'
  ]
])('V-1 L-4 names %s', (_name, now, expected) => {
  expect(said({}, now)).toBe(expected)
})

it('V-1 L-4 says that the request before was for a summary', () => {
  expect(said({ kind: 'compaction' }, { messages: ['else'] })).toMatch(/^The request before was for a summary\. /)
})

it('V-1 knows nothing of a request that rests on a damaged line', () => {
  expect(prefixOf({ ...logged(), messages: null }, logged())).toBeNull()
})
