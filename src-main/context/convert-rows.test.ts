// Any rows give a prompt that real endpoints take, and the same rows always the same bytes (L-4).
import type { LanguageModelV3Message } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowsForProvider } from '@common/rows/boundaries'
import type { FilePart, Row, RowMetadata, RowPart, ToolPart } from '@common/rows/row-schema'
import { divideRow } from '@common/rows/divide-row'
import { arbitraryRows } from '@common/testing/arbitrary-rows'
import { inForm } from '../history/testing/long-form'
import { convertRows, OPENING_TEXT } from './convert-rows'
import type { ConvertOptions } from './convert-rows'

const MODEL = 'anthropic:sea-1'
const files: Readonly<Record<string, string>> = { [`attachment:${'a'.repeat(64)}`]: 'the bytes of it' }

const options: ConvertOptions = {
  modelRef: MODEL,
  loadAttachment: async ({ url }: FilePart) => {
    const text = files[url]
    return text === undefined ? null : new TextEncoder().encode(text)
  }
}

function person(...parts: (RowPart | string)[]): Row {
  return { id: 'p', role: 'user', parts: parts.map(asPart), metadata: {} }
}

function answer(parts: (RowPart | string)[], metadata: RowMetadata = { model: MODEL }): Row {
  return { id: 'a', role: 'assistant', parts: parts.map(asPart), metadata }
}

function asPart(part: RowPart | string): RowPart {
  return typeof part === 'string' ? { type: 'text', text: part } : part
}

function step(model = MODEL): RowPart {
  const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
  return { type: 'step', requestSequence: 1, model, usage }
}

function call(toolCallId: string, fields: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'dynamic-tool',
    toolCallId,
    toolName: 'bash',
    state: 'output-available',
    input: { command: 'ls' },
    output: `out of ${toolCallId}`,
    ...fields
  }
}

function partsOf(message: LanguageModelV3Message | undefined) {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}

/** What a message says, in short. */
function shortOf(messages: readonly LanguageModelV3Message[]): string[] {
  return messages.map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`
    const said = content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text
      return part.type === 'file' ? 'file' : 'toolCallId' in part ? `${part.type} ${part.toolCallId}` : part.type
    })
    return `${role}: ${said.join(' | ')}`
  })
}

async function shortFrom(...rows: Row[]): Promise<string[]> {
  return shortOf(await convertRows(rows, options))
}

describe('convertRows', () => {
  it('L-4 gives one assistant message a step and the results of its calls after it', async () => {
    const rows = [
      person('list the files'),
      answer(['let me see', call('c1'), call('c2'), step(), 'and now', call('c3'), step(), 'done', step()])
    ]
    expect(await shortFrom(...rows)).toEqual([
      'user: list the files',
      'assistant: let me see | tool-call c1 | tool-call c2',
      'tool: tool-result c1 | tool-result c2',
      'assistant: and now | tool-call c3',
      'tool: tool-result c3',
      'assistant: done'
    ])
  })

  it('L-4 merges neighbours of one role', async () => {
    expect(
      await shortFrom(person('a'), person('b'), answer(['c', step(), 'd', step()]), answer(['e', step()]))
    ).toEqual(['user: a | b', 'assistant: c | d | e'])
  })

  it('L-4 never begins with an answer', async () => {
    expect(await shortFrom(answer(['late', step()]))).toEqual([`user: ${OPENING_TEXT}`, 'assistant: late'])
    expect(await shortFrom(person(''), answer(['late', step()]))).toEqual([`user: ${OPENING_TEXT}`, 'assistant: late'])
  })

  it('L-4 sends a compaction summary as text of the user', async () => {
    const summary = answer(['what was said so far'], { contextBoundaryKind: 'compaction' })
    expect(await shortFrom(summary, person('go on'))).toEqual(['user: what was said so far | go on'])
  })

  it('L-4 leaves out texts that are blank, and answers that then say nothing', async () => {
    expect(await shortFrom(person('a', ' \n'), answer(['', '\t', step()]), person('b'))).toEqual(['user: a | b'])
  })

  it('H-4 pairs a call that was cut off with an outcome that says so', async () => {
    const [, , results] = await convertRows(
      [person('go'), answer([call('c1', { state: 'input-available', output: undefined })])],
      options
    )
    expect(results).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'bash',
          output: { type: 'error-text', value: 'Interrupted before it finished.' }
        }
      ]
    })
  })

  it('L-4 keeps apart calls to which a server gave one id, each with its own result', async () => {
    const rows = [
      person('go'),
      answer([call('call_0', { output: 'first' }), step(), call('call_0', { output: 'second' }), step()]),
      answer([call('call_0#2', { output: 'third' }), step()])
    ]
    const messages = await convertRows(rows, options)
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
    expect(results.map((part) => (part.type === 'tool-result' ? part.output : null))).toEqual(
      ['first', 'second', 'third'].map((value) => ({ type: 'text', value }))
    )
    const ids = results.map((part) => (part.type === 'tool-result' ? part.toolCallId : ''))
    expect(ids[0]).toBe('call_0')
    expect(new Set(ids).size).toBe(3)
  })

  it.each([
    ['an object', { command: 'ls' }, { command: 'ls' }],
    ['a list', ['ls'], { input: ['ls'] }],
    ['text that is no JSON', '{"command": "l', { input: '{"command": "l' }],
    ['null', null, { input: null }],
    ['a number', 5, { input: 5 }]
  ])('L-4 sends a call whose input is %s as an object, which endpoints want', async (_name, input, sent) => {
    const [, message] = await convertRows([person('go'), answer([call('c', { input })])], options)
    expect(message?.content[0]).toMatchObject({ type: 'tool-call', input: sent })
  })

  it('L-4 replays thinking unchanged to the provider that signed it, and to nobody else', async () => {
    const providerMetadata = { anthropic: { signature: 'c2ln' } }
    const thought = { type: 'reasoning', text: 'hm', providerMetadata }
    const unsigned = { type: 'reasoning', text: 'half a tho' }
    const thinking = async (model: string, part: RowPart) => {
      const messages = await convertRows([person('go'), answer([part, 'so', step(model)])], options)
      return messages[1]?.content[0]
    }
    expect(await thinking(MODEL, thought)).toEqual({ type: 'reasoning', text: 'hm', providerOptions: providerMetadata })
    expect(await thinking('anthropic:sea-2', thought)).toMatchObject({ type: 'reasoning' })
    expect(await thinking('openai:foam', thought)).toEqual({ type: 'text', text: 'so' })
    expect(await thinking(MODEL, unsigned)).toEqual({ type: 'text', text: 'so' })
  })

  it('L-4 gives an empty text back to the Gemini that signed it, and to nobody else', async () => {
    const signed = { type: 'text', text: '', providerMetadata: { google: { thoughtSignature: 'c2ln' } } }
    const rows = [person('go'), answer([signed, step('google:gemini-1')])]
    expect(await convertRows(rows, { ...options, modelRef: 'google:gemini-2' })).toHaveLength(2)
    expect(await convertRows(rows, options)).toHaveLength(1)
  })

  it('takes the model of the row for a step that was cut before its figures', async () => {
    const thought = { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 'c2ln' } } }
    const first = async (model: string) =>
      (await convertRows([person('go'), answer([thought, 'so'], { model })], options))[1]?.content[0]
    expect(await first(MODEL)).toMatchObject({ type: 'reasoning' })
    expect(await first('openai:foam')).toEqual({ type: 'text', text: 'so' })
  })

  it('sends pictures and PDFs as files, other attachments as text, and says when one is gone', async () => {
    const file = (mediaType: string, letter: string): RowPart => ({
      type: 'file',
      mediaType,
      url: `attachment:${letter.repeat(64)}`,
      filename: 'it'
    })
    const [message] = await convertRows(
      [person(file('image/png', 'a'), file('application/pdf', 'a'), file('text/plain', 'a'), file('image/png', 'b'))],
      options
    )
    expect(message?.content).toEqual([
      { type: 'file', mediaType: 'image/png', data: expect.any(Uint8Array), filename: 'it' },
      { type: 'file', mediaType: 'application/pdf', data: expect.any(Uint8Array), filename: 'it' },
      { type: 'text', text: 'Attached file it:\n\nthe bytes of it' },
      { type: 'text', text: '[The attachment it is no longer on disk.]' }
    ])
  })

  it('L-4 says a call that the provider ran as text, since nobody takes it back without the tool', async () => {
    const fields = { toolName: 'web_fetch', providerExecuted: true, output: { title: 'Tides' } }
    const rows = [person('go'), answer([call('s', fields), 'found', step()])]
    expect(await shortFrom(...rows)).toEqual([
      'user: go',
      'assistant: [The provider ran web_fetch {"command":"ls"}: {"title":"Tides"}] | found'
    ])
    const failed = call('s', { ...fields, state: 'interrupted', errorText: 'gone' })
    expect(await shortFrom(person('go'), answer([failed]))).toEqual([
      'user: go',
      'assistant: [The provider ran web_fetch {"command":"ls"}: gone]'
    ])
  })

  it('L-4 leaves out thoughts that nothing follows, signed or not, and keeps those before an answer', async () => {
    const thought = { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 'c2ln' } } }
    expect(await shortFrom(person('a'), answer([thought]), person('b'))).toEqual(['user: a | b'])
    expect(await shortFrom(person('a'), answer([thought, 'so', step(), thought]), person('b'))).toEqual([
      'user: a',
      'assistant: hm | so',
      'user: b'
    ])
    // The answer after a cut one is another answer: it was not what these thoughts led to.
    expect(await shortFrom(person('a'), answer([thought]), answer(['so', step()]), person('b'))).toEqual([
      'user: a',
      'assistant: so',
      'user: b'
    ])
  })

  it('L-4 gives Anthropic nothing back with texts and calls, and others what they sent', async () => {
    const sentBack = async (provider: string) => {
      const providerMetadata = { [provider]: { type: 'compaction', caller: { type: 'direct' } } }
      const parts = [{ type: 'text', text: 'a', providerMetadata }, call('c', { providerMetadata })]
      const [, message] = await convertRows([person('go'), answer(parts, { model: MODEL })], options)
      return partsOf(message).map((part) => part.providerOptions)
    }
    expect(await sentBack('anthropic')).toEqual([undefined, undefined])
    expect(await sentBack('google')).toEqual([{ google: expect.anything() }, { google: expect.anything() }])
  })

  it('L-4 sends names of tools in a form that every endpoint takes', async () => {
    const names = ['bash', 'functions.bash', '7zip', '', 'bash<|channel|>', 'x'.repeat(99)]
    const messages = await convertRows(
      [person('go'), answer(names.map((toolName) => call('c', { toolName })))],
      options
    )
    for (const message of messages.slice(1)) {
      expect(partsOf(message).map((part) => ('toolName' in part ? part.toolName : ''))).toEqual([
        'bash',
        'functions_bash',
        '_7zip',
        '_',
        'bash__channel__',
        'x'.repeat(64)
      ])
    }
  })

  it('L-4 sends no half of a character, wherever it was cut', async () => {
    const half = 'tide \ud83c'
    const parts = [half, call('c', { input: { [half]: [half] }, output: { lines: [half] } }), step()]
    const sent = JSON.stringify(await convertRows([person(half, 'whole 🌊'), answer(parts)], options))
    expect(sent).not.toMatch(/\\ud[89a-f]/)
    expect(sent.match(/tide \ufffd/g)).toHaveLength(5)
    expect(sent).toContain('whole 🌊')
  })

  it('H-13 L-4 sends an answer that was stored as several rows as it was streamed', async () => {
    const signed = {
      type: 'reasoning',
      text: 'long '.repeat(90_000),
      providerMetadata: { anthropic: { signature: 's' } }
    }
    const row = answer([signed, 'word '.repeat(90_000), call('c1'), call('c2'), step(), 'done', step()])
    const divided = divideRow(row, () => crypto.randomUUID())
    expect(divided.length).toBeGreaterThan(3)
    const [whole, joined] = [
      await convertRows([person('go'), row], options),
      await convertRows([person('go'), ...divided], options)
    ]
    expect(shortOf(joined).map((line) => line.length)).toEqual(shortOf(whole).map((line) => line.length))
    expect(JSON.stringify(joined) === JSON.stringify(whole)).toBe(true)
  })

  it('00 sends nothing of a part that this version does not know', async () => {
    const odd = { type: 'dynamic-tool', toolCallId: 'x', toolName: 'bash', state: 'output-streaming', input: {} }
    expect(await shortFrom(person('go', { type: 'hologram' }), answer([odd, { type: 'text', text: 5 }, 'ok']))).toEqual(
      ['user: go', 'assistant: ok']
    )
  })
})

describe('any rows', () => {
  const rows = arbitraryRows(10).map(rowsForProvider)

  it('L-4 give an alternating prompt that begins with the user and holds no empty text', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (history) => {
        const messages = await convertRows(history, options)
        if (messages[0] !== undefined) expect(messages[0].role).toBe('user')
        for (const [index, message] of messages.entries()) {
          expect(message.role).not.toBe(messages[index - 1]?.role)
          if (message.role === 'tool') expect(messages[index - 1]?.role).toBe('assistant')
          expect(message.content.length).toBeGreaterThan(0)
          for (const part of message.content) {
            if (typeof part !== 'string' && part.type === 'text') expect(part.text.trim()).not.toBe('')
          }
        }
      }),
      { seed: 4101, numRuns: inForm({ quick: 100, full: 400, long: 400 }) }
    )
  })

  it('L-4 R-6 give every call one result, in the message right after it, and no id twice', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (history) => {
        const messages = await convertRows(history, options)
        const ids: string[] = []
        for (const [index, message] of messages.entries()) {
          if (message.role !== 'assistant') continue
          const calls = message.content.filter((part) => part.type === 'tool-call')
          const own = calls.filter((part) => part.providerExecuted !== true).map((part) => part.toolCallId)
          const next = messages[index + 1]
          const results = next?.role === 'tool' ? next.content : []
          expect(results.map((part) => (part.type === 'tool-result' ? part.toolCallId : ''))).toEqual(own)
          ids.push(...calls.map((part) => part.toolCallId))
          for (const part of calls) expect(Array.isArray(part.input)).toBe(false)
        }
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { seed: 4102, numRuns: inForm({ quick: 100, full: 400, long: 400 }) }
    )
  })

  it('L-4 give the same bytes twice, and a beginning stays as it was but for merging', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(), async (history, cut) => {
        const whole = await convertRows(history, options)
        expect(JSON.stringify(await convertRows(structuredClone(history), options))).toBe(JSON.stringify(whole))
        const start = await convertRows(history.slice(0, cut % (history.length + 1)), options)
        const last = start.length - 1
        if (last < 0) return
        expect(JSON.stringify(whole.slice(0, last))).toBe(JSON.stringify(start.slice(0, last)))
        expect(whole[last]?.role).toBe(start[last]?.role)
        expect(whole[last]?.content.slice(0, start[last]?.content.length)).toEqual(start[last]?.content)
      }),
      { seed: 4103, numRuns: inForm({ quick: 100, full: 400, long: 400 }) }
    )
  })

  it('change nothing in what they are given', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (history) => {
        const before = structuredClone(history)
        await convertRows(history, options)
        expect(history).toEqual(before)
      }),
      { seed: 4104, numRuns: 100 }
    )
  })
})
