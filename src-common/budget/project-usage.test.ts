import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IMAGE_TOKEN_ESTIMATE } from '../constants'
import type { RowPart, ToolPart } from '../rows/row-schema'
import { arbitraryPart, arbitraryUsage } from '../testing/arbitrary-rows'
import { projectUsage, tailTokensOf, unsentTailOf } from './project-usage'
import { addUsage, contextTokensOf, NO_USAGE } from './usage'

const usage = {
  inputTokens: 1_000,
  cacheReadTokens: 20_000,
  cacheWriteTokens: 300,
  outputTokens: 500,
  reasoningTokens: 200
}

function result(output: unknown, fields: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'dynamic-tool',
    toolCallId: 'c',
    toolName: 'bash',
    state: 'output-available',
    input: { command: 'cat big.txt' },
    output,
    ...fields
  }
}

const picture = { type: 'media', mediaType: 'image/png', data: 'A'.repeat(40_000) }

describe('contextTokensOf', () => {
  it('E-1 adds fresh input, cache reads and cache writes, and nothing of the answer', () => {
    expect(contextTokensOf(usage)).toBe(21_300)
    expect(contextTokensOf(NO_USAGE)).toBe(0)
  })

  it('adds usages field by field, in any order', () => {
    expect(addUsage(usage, { ...NO_USAGE, outputTokens: 7 })).toEqual({ ...usage, outputTokens: 507 })
    fc.assert(
      fc.property(arbitraryUsage, arbitraryUsage, (a, b) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a))
        expect(contextTokensOf(addUsage(a, b))).toBe(contextTokensOf(a) + contextTokensOf(b))
        expect(addUsage(a, NO_USAGE)).toEqual(a)
      }),
      { seed: 2003 }
    )
  })
})

describe('projectUsage', () => {
  it('E-1 adds the output and a quarter of the characters of the results, rounded up', () => {
    expect(projectUsage(usage, { toolResultChars: 0, imageParts: 0 })).toBe(21_800)
    expect(projectUsage(usage, { toolResultChars: 9, imageParts: 2 })).toBe(21_800 + 3 + 2 * IMAGE_TOKEN_ESTIMATE)
  })

  it('E-1 counts results by their JSON, and words of a failed call, but neither inputs nor texts', () => {
    expect(unsentTailOf([result({ text: 'abc' })])).toEqual({ toolResultChars: 14, imageParts: 0 })
    expect(unsentTailOf([result(undefined, { state: 'output-error', errorText: 'no such file' })])).toEqual({
      toolResultChars: 12,
      imageParts: 0
    })
    const skillPointers = [{ name: 'not sent', text: '[pointer]' }]
    expect(unsentTailOf([result('', { skillPointers })])).toEqual({ toolResultChars: 11, imageParts: 0 })
    expect(unsentTailOf([{ type: 'text', text: 'x'.repeat(1_000) }])).toEqual({ toolResultChars: 0, imageParts: 0 })
  })

  it('E-1 charges an image its allowance instead of its base64, and the text beside it by its characters', () => {
    const tail = unsentTailOf([result({ type: 'content', value: [picture, { type: 'text', text: 'x'.repeat(80) }] })])
    expect(tail).toEqual({ toolResultChars: 80, imageParts: 1 })
    expect(tailTokensOf(tail)).toBe(20 + IMAGE_TOKEN_ESTIMATE)
  })

  it.each([
    ['an item of another form stands beside it', { type: 'content', value: [picture, { type: 'chart' }] }],
    ['it has no data', { type: 'content', value: [{ type: 'media', mediaType: 'image/png' }] }],
    ['it stands anywhere else', { images: [picture] }],
    ['it is a data URL in a string', 'data:image/png;base64,AAAA']
  ])('00 counts what looks like media as text when %s', (_name, output) => {
    expect(unsentTailOf([result(output)])).toEqual({ toolResultChars: JSON.stringify(output).length, imageParts: 0 })
  })

  it('never falls when a part is added, and never throws, whatever the parts are', () => {
    fc.assert(
      fc.property(fc.array(arbitraryPart), arbitraryPart, (parts: RowPart[], added) => {
        const before = tailTokensOf(unsentTailOf(parts))
        expect(before).toBeGreaterThanOrEqual(0)
        expect(tailTokensOf(unsentTailOf([...parts, added]))).toBeGreaterThanOrEqual(before)
      }),
      { seed: 2004, numRuns: 300 }
    )
  })
})
