import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IMAGE_TOKEN_ESTIMATE, MESSAGE_FRAMING_TOKENS } from '@common/constants'
import { err } from '@common/result'
import type { Row } from '@common/rows/row-schema'
import { arbitraryRows } from '@common/testing/arbitrary-rows'
import { countRequest } from './count-request'
import type { CountableRequest, CountingWith } from './count-request'
import { countSections } from './count-sections'
import type { SectionTokens, SystemExtras } from './count-sections'
import { buildPrompt } from './prepare-request'
import { createTokenCounter } from './token-counter'

const using: CountingWith = { encoding: 'o200k_base', counter: createTokenCounter({ workerFile: null }) }
const NO_EXTRAS: SystemExtras = { memories: '', notes: '' }
const bash: LanguageModelV3FunctionTool = { type: 'function', name: 'bash', inputSchema: { type: 'object' } }

async function requestOf(rows: readonly Row[], systemText: string, tools = [bash]): Promise<CountableRequest> {
  const loadAttachment = async () => new TextEncoder().encode('%PDF </Type /Page>')
  return { prompt: await buildPrompt(rows, { modelRef: 'anthropic:sea-1', systemText, loadAttachment }), tools }
}

async function sectionsOf(request: CountableRequest, extras = NO_EXTRAS): Promise<SectionTokens> {
  const counted = await countSections(request, extras, using)
  if (!counted.ok) throw new Error(counted.error.message)
  return counted.value
}

async function tokensOf(text: string): Promise<number> {
  const counted = await using.counter.countText(text, using.encoding)
  return counted.ok ? counted.value : Number.NaN
}

describe('countSections', () => {
  it('U-6 V-3 sums to the count of the request, with no section below nothing, whatever the request holds', async () => {
    const said = fc.constantFrom('', 'Use tabs.', '</memory>', ' ', '🌊🌊', 'tide', '\n\n', 'a'.repeat(300))
    const text = fc.array(said, { maxLength: 6 }).map((pieces) => pieces.join(''))
    const tools = fc.constantFrom<(typeof bash)[]>([], [bash])
    await fc.assert(
      fc.asyncProperty(arbitraryRows(), text, text, text, tools, async (rows, agent, memories, notes, advertised) => {
        const request = await requestOf(rows, [agent, memories, notes].join('\n\n'), advertised)
        const { sections, tokens, estimated } = await sectionsOf(request, { memories, notes })
        const counted = await countRequest(request, using)
        expect({ tokens, estimated }).toEqual(counted.ok ? { tokens: counted.value.tokens, estimated: false } : null)
        const each = Object.values(sections)
        expect(each.reduce((sum, section) => sum + section, 0)).toBe(tokens)
        for (const section of each) expect(section).toBeGreaterThanOrEqual(0)
      }),
      { seed: 4402, numRuns: 80 }
    )
  })

  it('U-6 gives memories and notes what they take by themselves, and the rest of the system text to the system', async () => {
    const [agent, memories, notes] = ['You are a coding agent.', 'Memories: use pnpm.', 'Notes: the tide is at 12:40.']
    const { sections } = await sectionsOf(await requestOf([], `${agent}\n\n${memories}\n\n${notes}`), {
      memories,
      notes
    })
    expect(sections.memories).toBe(await tokensOf(memories))
    expect(sections.notes).toBe(await tokensOf(notes))
    const joined = await tokensOf(`${agent}\n\n${memories}\n\n${notes}`)
    expect(sections.system).toBe(joined + MESSAGE_FRAMING_TOKENS - sections.memories - sections.notes)
  })

  it('U-6 gives nothing away that the system text does not hold', async () => {
    const request = await requestOf([], 'Short.')
    const { sections } = await sectionsOf(request, { memories: 'word '.repeat(500), notes: 'more '.repeat(500) })
    expect(sections.memories + sections.notes + sections.system).toBe(
      (await tokensOf('Short.')) + MESSAGE_FRAMING_TOKENS
    )
  })

  it('U-6 tells messages, results of tools and pictures apart, pictures of results among the pictures', async () => {
    const picture = { type: 'file', mediaType: 'image/png', url: `attachment:${'a'.repeat(64)}`, filename: 'a.png' }
    const shot = { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'AAAA' }] }
    const call = { type: 'dynamic-tool', toolName: 'bash', state: 'output-available', input: { command: 'ls' } }
    const rows = (output: string): Row[] => [
      { id: 'p', role: 'user', parts: [{ type: 'text', text: 'go' }, picture], metadata: {} },
      {
        id: 'a',
        role: 'assistant',
        parts: [
          { ...call, toolCallId: 'c1', output },
          { ...call, toolCallId: 'c2', output: shot }
        ],
        metadata: {}
      }
    ]
    const few = await sectionsOf(await requestOf(rows('a'), 'System.'))
    const many = await sectionsOf(await requestOf(rows('tide '.repeat(1_000)), 'System.'))
    expect(few.sections.files).toBe(2 * IMAGE_TOKEN_ESTIMATE)
    expect(many.sections).toEqual({ ...few.sections, toolResults: expect.any(Number) })
    expect(many.sections.toolResults - few.sections.toolResults).toBe(
      (await tokensOf('tide '.repeat(1_000))) - (await tokensOf('a'))
    )
    expect((await sectionsOf(await requestOf(rows('a'), 'System.', []))).sections).toEqual({
      ...few.sections,
      tools: 0
    })
  })

  it('P-3 gives the failure of an encoder', async () => {
    const failure = { kind: 'encoder_failed', message: 'no' } as const
    const counter = createTokenCounter({ workerFile: null, countInProcess: async () => err(failure) })
    const request = await requestOf([], 'System.')
    expect(await countSections(request, NO_EXTRAS, { ...using, counter })).toEqual(err(failure))
  })
})
