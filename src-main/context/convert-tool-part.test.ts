import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolPart } from '@common/rows/row-schema'
import { safeToolCallId, toolResultOutput } from './convert-tool-part'

function part(fields: Partial<ToolPart>): ToolPart {
  return { type: 'dynamic-tool', toolCallId: 'c', toolName: 'bash', state: 'output-available', input: {}, ...fields }
}

const picture = { type: 'media', mediaType: 'image/png', data: 'AAAA' }

describe('toolResultOutput', () => {
  it('gives text as text and everything else as the JSON that it is', () => {
    expect(toolResultOutput(part({ output: 'plain' }))).toEqual({ type: 'text', value: 'plain' })
    expect(toolResultOutput(part({ output: '' }))).toEqual({ type: 'text', value: '' })
    expect(toolResultOutput(part({ output: { exitCode: 0 } }))).toEqual({ type: 'json', value: { exitCode: 0 } })
    expect(toolResultOutput(part({ output: 0 }))).toEqual({ type: 'json', value: 0 })
    expect(toolResultOutput(part({}))).toEqual({ type: 'json', value: null })
  })

  it('O-5 gives what a call points out behind its result, whatever form that has', () => {
    const skillPointers = [
      { name: 'a', text: '[A]' },
      { name: 'b', text: '[B]' }
    ]
    const given = (fields: Partial<ToolPart>) => toolResultOutput(part({ skillPointers, ...fields }))
    expect(given({ output: 'plain' })).toEqual({ type: 'text', value: 'plain\n\n[A]\n[B]' })
    expect(given({ output: { exitCode: 0 } })).toEqual({ type: 'text', value: '{"exitCode":0}\n\n[A]\n[B]' })
    expect(given({})).toEqual({ type: 'text', value: 'null\n\n[A]\n[B]' })
    expect(given({ state: 'output-error', errorText: 'gone' })).toEqual({
      type: 'error-text',
      value: 'gone\n\n[A]\n[B]'
    })
    expect(given({ output: { type: 'content', value: [picture] } })).toEqual({
      type: 'content',
      value: [
        { type: 'image-data', mediaType: 'image/png', data: 'AAAA' },
        { type: 'text', text: '[A]\n[B]' }
      ]
    })
    expect(toolResultOutput({ ...part({ output: 1 }), ...JSON.parse('{"skillPointers":[7]}') })).toEqual({
      type: 'json',
      value: 1
    })
  })

  it('00 gives media in its one form as a picture, with the text beside it', () => {
    const output = { type: 'content', value: [{ type: 'text', text: 'a chart' }, picture, { type: 'text', text: ' ' }] }
    expect(toolResultOutput(part({ output }))).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: 'a chart' },
        { type: 'image-data', mediaType: 'image/png', data: 'AAAA' }
      ]
    })
  })

  it.each([
    ['an item that is neither media nor text', { type: 'content', value: [picture, { type: 'chart' }] }],
    ['a picture without data', { type: 'content', value: [{ type: 'media', mediaType: 'image/png' }] }],
    ['nothing in it', { type: 'content', value: [] }],
    ['blank texts alone', { type: 'content', value: [{ type: 'text', text: '\n' }] }],
    ['a value that is no list', { type: 'content', value: 'AAAA' }],
    ['another place', { image: picture }],
    ['a list around it', [picture]]
  ])('00 gives what looks like media as ordinary JSON when it has %s', (_name, output) => {
    expect(toolResultOutput(part({ output }))).toEqual({ type: 'json', value: output })
  })

  it.each([
    ['output-error', 'The tool failed.'],
    ['output-denied', 'The person denied this call.'],
    ['interrupted', 'Interrupted before it finished.'],
    ['input-available', 'Interrupted before it finished.']
  ] as const)('L-4 says an outcome of %s in words, never in none and never as a success', (state, otherwise) => {
    const result = (errorText?: string) =>
      toolResultOutput(part({ state, output: { ok: true }, ...(errorText === undefined ? {} : { errorText }) }))
    expect(result('no such file')).toEqual({ type: 'error-text', value: 'no such file' })
    for (const blank of [undefined, '', ' \n']) expect(result(blank)).toEqual({ type: 'error-text', value: otherwise })
  })
})

describe('safeToolCallId', () => {
  it('leaves an id alone that every provider takes', () => {
    for (const id of ['toolu_01AbC', 'call-1', 'x'.repeat(64)]) expect(safeToolCallId(id)).toBe(id)
  })

  it('L-4 gives any id a form that every provider takes, equal ones equal and different ones different', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (a, b) => {
        expect(safeToolCallId(a)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(safeToolCallId(a) === safeToolCallId(b)).toBe(a === b)
        expect(safeToolCallId(safeToolCallId(a))).toBe(safeToolCallId(a))
      }),
      { seed: 4001, numRuns: 500 }
    )
  })

  it('keeps two long ids apart that differ in their last character alone', () => {
    expect(safeToolCallId(`${'x'.repeat(80)}a`)).not.toBe(safeToolCallId(`${'x'.repeat(80)}b`))
    expect(safeToolCallId('functions.bash:0')).toMatch(/^functions_bash_0_[0-9a-f]{16}$/)
  })
})
