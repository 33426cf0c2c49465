import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolRule } from '@common/agents/agent-schema'
import type { Row } from '@common/rows/row-schema'
import { advertisedTools, offeredTools } from './advertised-tools'

const tools = ['bash', 'file_read', 'file_write'].map((name) => ({
  name,
  description: `What ${name} does.`,
  inputSchema: z.object({ path: z.string().describe('Where.'), limit: z.number().int().nullish() })
}))
const all: ToolRule = { match: '.*', action: 'allow' }

it('A-2 a request advertises the tools that the policy allows, in the order of the registry', () => {
  const named = (rules: ToolRule[]) => offeredTools(tools, rules).tools.map(({ name }) => name)
  expect(named([all])).toEqual(['bash', 'file_read', 'file_write'])
  expect(named([all, { match: 'file_.*', action: 'deny' }])).toEqual(['bash'])
  expect(named([])).toEqual([])
})

it('A-2 a tool that is allowed for some paths alone is advertised', () => {
  const rules: ToolRule[] = [
    all,
    { match: 'file_write', action: 'deny' },
    { match: 'file_write', action: 'allow', paths: ['plans/**'] }
  ]
  expect(offeredTools(tools, rules).tools.map(({ name }) => name)).toContain('file_write')
})

it('P-4 a deferred tool is advertised in a window in which a call activated it, and in no other', () => {
  const later = { ...tools[0], name: 'weather', isDeferred: true } as (typeof tools)[number]
  const offered = offeredTools([...tools, later], [all])
  const call = (activates: unknown): Row => ({
    id: 'a',
    role: 'assistant',
    parts: [
      {
        type: 'dynamic-tool',
        toolCallId: 'c',
        toolName: 'find',
        state: 'output-available',
        input: {},
        output: {},
        activates
      }
    ],
    metadata: {}
  })
  const named = (rows: Row[]) => advertisedTools(offered, rows).map(({ name }) => name)
  expect(advertisedTools(offered, [])).toBe(offered.tools)
  expect(named([call(['weather', 'nobody'])])).toEqual(['bash', 'file_read', 'file_write', 'weather'])
  // Of another form, in a file that somebody else wrote.
  expect(named([call('weather')])).toEqual(['bash', 'file_read', 'file_write'])
  expect(offeredTools([later], [{ match: 'weather', action: 'deny' }]).deferredTools).toEqual([])
})

it('L-4 the advertised bytes are the same each time, with the description of every field', () => {
  const [bash] = offeredTools(tools, [all]).tools
  expect(JSON.stringify(offeredTools(tools, [all]).tools)).toBe(JSON.stringify(offeredTools(tools, [all]).tools))
  // Counted and hashed once (F-7, V-1).
  expect(offeredTools(tools, [all]).tools[0]).toBe(bash)
  expect(bash).toMatchObject({
    type: 'function',
    name: 'bash',
    description: 'What bash does.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where.' } },
      required: ['path']
    }
  })
})
