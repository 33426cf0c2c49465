import { expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolRule } from '@common/agents/agent-schema'
import { advertisedTools } from './advertised-tools'

const tools = ['bash', 'file_read', 'file_write'].map((name) => ({
  name,
  description: `What ${name} does.`,
  inputSchema: z.object({ path: z.string().describe('Where.'), limit: z.number().int().nullish() })
}))
const all: ToolRule = { match: '.*', action: 'allow' }

it('A-2 a request advertises the tools that the policy allows, in the order of the registry', () => {
  const named = (rules: ToolRule[]) => advertisedTools(tools, rules).map(({ name }) => name)
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
  expect(advertisedTools(tools, rules).map(({ name }) => name)).toContain('file_write')
})

it('L-4 the advertised bytes are the same each time, with the description of every field', () => {
  const [bash] = advertisedTools(tools, [all])
  expect(JSON.stringify(advertisedTools(tools, [all]))).toBe(JSON.stringify(advertisedTools(tools, [all])))
  // Counted and hashed once (F-7, V-1).
  expect(advertisedTools(tools, [all])[0]).toBe(bash)
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
