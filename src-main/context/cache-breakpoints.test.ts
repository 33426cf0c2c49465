import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withCacheMarks } from './cache-breakpoints'

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const system: LanguageModelV3Message = { role: 'system', content: 'You are…' }

function user(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function tool(name: string): LanguageModelV3FunctionTool {
  return { type: 'function', name, description: name, inputSchema: { type: 'object' } }
}

/** Places of the messages and tools that carry a mark. */
function marksOf(messages: readonly LanguageModelV3Message[], tools: readonly LanguageModelV3FunctionTool[] = []) {
  const marked = withCacheMarks(messages, tools)
  const places = (items: readonly { providerOptions?: unknown }[]) =>
    items.flatMap((item, index) => (JSON.stringify(item.providerOptions) === JSON.stringify(MARK) ? [index] : []))
  return { messages: places(marked.messages), tools: places(marked.tools) }
}

describe('withCacheMarks', () => {
  it('L-4 marks the system text, the first message of the window, the last message and the last tool', () => {
    const messages = [system, user('a'), user('b'), user('c'), user('d')]
    expect(marksOf(messages, [tool('bash'), tool('grep')])).toEqual({ messages: [0, 1, 4], tools: [1] })
  })

  it('L-4 marks one message once where it is first and last', () => {
    expect(marksOf([system, user('a')])).toEqual({ messages: [0, 1], tools: [] })
    expect(marksOf([user('a')])).toEqual({ messages: [0], tools: [] })
    expect(marksOf([system])).toEqual({ messages: [0], tools: [] })
    expect(marksOf([])).toEqual({ messages: [], tools: [] })
  })

  it('keeps what else a tool says to its provider', () => {
    const openai = { openai: { strict: true } }
    const { tools } = withCacheMarks([], [{ ...tool('bash'), providerOptions: openai }])
    expect(tools[0]?.providerOptions).toEqual({ ...openai, ...MARK })
  })

  it('L-4 sets at most the four marks that Anthropic takes, on copies, and changes nothing else', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), fc.nat({ max: 3 }), fc.boolean(), (length, toolCount, hasSystem) => {
        const messages = [...(hasSystem ? [system] : []), ...Array.from({ length }, (_, at) => user(`${at}`))]
        const tools = Array.from({ length: toolCount }, (_, at) => tool(`t${at}`))
        const before = JSON.stringify([messages, tools])
        const marked = withCacheMarks(messages, tools)
        const marks = marksOf(messages, tools)
        expect(marks.messages.length + marks.tools.length).toBeLessThanOrEqual(4)
        expect(JSON.stringify([messages, tools])).toBe(before)
        const unmark = <T extends { providerOptions?: unknown }>({ providerOptions: _mark, ...rest }: T) => rest
        expect(marked.messages.map(unmark)).toEqual(messages)
        expect(marked.tools.map(unmark)).toEqual(tools)
      }),
      { seed: 4201 }
    )
  })
})
