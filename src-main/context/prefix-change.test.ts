import { expect, it } from 'vitest'
import { prefixChange, type PrefixRequest } from './prefix-change'

const digest = (name: string, bytes = 10) => ({ sha256: name, bytes })
const message = (name: string, role = 'user') => ({ ...digest(name), role })

const before: PrefixRequest = {
  model: 'anthropic:sea-1',
  tools: [
    { name: 'bash', ...digest('bash', 100) },
    { name: 'grep', ...digest('grep', 50) }
  ],
  system: digest('system', 1_000),
  messages: [message('a'), message('b', 'assistant'), message('c')]
}

it('L-4 V-1 a request that adds messages keeps its whole prefix', () => {
  const next = { ...before, messages: [...before.messages, message('d', 'assistant'), message('e')] }
  expect(prefixChange(before, next)).toEqual({ stableBytes: 1_180, totalBytes: 1_200, first: null })
  expect(prefixChange(before, before)).toEqual({ stableBytes: 1_180, totalBytes: 1_180, first: null })
})

it('L-4 V-1 a request that ends earlier breaks nothing', () => {
  const next = { ...before, messages: before.messages.slice(0, 1) }
  expect(prefixChange(before, next)).toEqual({ stableBytes: 1_160, totalBytes: 1_160, first: null })
})

it.each<[string, Partial<PrefixRequest>, object]>([
  ['another model', { model: 'anthropic:sea-2' }, { stableBytes: 0, first: { part: 'model' } }],
  [
    'another tool',
    {
      tools: [
        { name: 'bash', ...digest('bash', 100) },
        { name: 'glob', ...digest('glob', 40) }
      ]
    },
    { stableBytes: 100, totalBytes: 1_170, first: { part: 'tool', index: 1 } }
  ],
  [
    'a tool less',
    { tools: [{ name: 'bash', ...digest('bash', 100) }] },
    { stableBytes: 100, first: { part: 'system', index: null } }
  ],
  [
    'another system text',
    { system: digest('else', 900) },
    { stableBytes: 150, first: { part: 'system', index: null } }
  ],
  [
    'another message',
    { messages: [message('a'), message('x', 'assistant'), message('c')] },
    { stableBytes: 1_160, totalBytes: 1_180, first: { part: 'message', index: 1, role: 'assistant' } }
  ]
])('L-4 V-1 %s is what breaks the prefix first', (_name, change, expected) => {
  expect(prefixChange(before, { ...before, ...change })).toMatchObject(expected)
})
