// A conversion that finds earlier ones again gives what a fresh one gives, and makes nothing that was made (F-7, F-11).
import type { LanguageModelV3Message } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowsForProvider } from '@common/rows/boundaries'
import type { FilePart, Row, RowPart } from '@common/rows/row-schema'
import { arbitraryRows } from '@common/testing/arbitrary-rows'
import { inForm } from '../history/testing/long-form'
import type { LoadAttachment } from './convert-input'
import { convertRows } from './convert-rows'
import { countEach } from './count-tokens'
import { countRequest } from './count-request'
import { prepareRequest } from './prepare-request'
import type { TurnSettings } from './prepare-request'
import { createTokenCounter } from './token-counter'

const MODEL = 'anthropic:sea-1'
const HERE = `attachment:${'a'.repeat(64)}`

/** A store of attachments that notes what was read of it. */
function attachments(): { load: LoadAttachment; reads: string[]; gone: Set<string> } {
  const reads: string[] = []
  const gone = new Set([`attachment:${'b'.repeat(64)}`])
  const load = async ({ url }: FilePart) => {
    reads.push(url)
    return gone.has(url) ? null : new TextEncoder().encode(`bytes of ${url}`)
  }
  return { load, reads, gone }
}

function row(id: string, role: Row['role'], parts: RowPart[], metadata: Row['metadata'] = {}): Row {
  return { id, role, parts, metadata }
}

function text(said: string): RowPart {
  return { type: 'text', text: said }
}

function call(toolCallId: string, output: unknown = `out of ${toolCallId}`): RowPart {
  const input = { command: `ls ${toolCallId}` }
  return { type: 'dynamic-tool', toolCallId, toolName: 'bash', state: 'output-available', input, output }
}

function step(model = MODEL): RowPart {
  const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
  return { type: 'step', requestSequence: 1, model, usage }
}

/** Rows of which some go on from the one before, as long answers do. */
const histories = fc
  .tuple(arbitraryRows(10), fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }))
  .map(([rows, continued]) =>
    rows.map((each, index) => {
      const before = rows[index - 1]
      if (before === undefined || continued[index] !== true) return each
      return { ...each, metadata: { ...each.metadata, continues: before.id } }
    })
  )

describe('a conversion of rows that were converted before', () => {
  it('F-7 L-4 equals a fresh one as any history grows row by row, whoever reads it', async () => {
    const { load } = attachments()
    const models = fc.array(fc.constantFrom(MODEL, 'openai:foam'), { minLength: 11, maxLength: 11 })
    await fc.assert(
      fc.asyncProperty(histories, models, async (history, readers) => {
        for (let length = 0; length <= history.length; length++) {
          const options = { modelRef: readers[length] ?? MODEL, loadAttachment: load }
          const rows = rowsForProvider(history.slice(0, length))
          const again = await convertRows(rows, options)
          expect(again).toEqual(await convertRows(structuredClone(rows), options))
          const twice = await convertRows(rows.slice(), options)
          expect(twice.every((message, index) => message === again[index])).toBe(true)
        }
      }),
      { seed: 4111, numRuns: inForm({ quick: 40, full: 150, long: 150 }) }
    )
  })

  it('F-7 equals a fresh one when any row is left out or replaced', async () => {
    const { load } = attachments()
    const options = { modelRef: MODEL, loadAttachment: load }
    await fc.assert(
      fc.asyncProperty(histories, fc.array(fc.nat(), { maxLength: 6 }), async (history, changes) => {
        let rows = rowsForProvider(history)
        for (const change of changes) {
          await convertRows(rows, options)
          const at = change % (rows.length + 1)
          const next = rows[(at * 7) % Math.max(rows.length, 1)]
          rows = rows.toSpliced(at, change % 2, ...(change % 3 === 0 && next !== undefined ? [next] : []))
          expect(await convertRows(rows, options)).toEqual(await convertRows(structuredClone(rows), options))
        }
      }),
      { seed: 4112, numRuns: inForm({ quick: 40, full: 150, long: 150 }) }
    )
  })

  it('F-7 equals a fresh one as a live row grows in place, step by step, also one that goes on from a closed one', async () => {
    const { load } = attachments()
    const options = { modelRef: MODEL, loadAttachment: load }
    const closed = row('a1', 'assistant', [text('so '), call('call_0'), step(), text('the long')])
    const live = row('a2', 'assistant', [], { continues: 'a1' })
    const rows = [row('p', 'user', [text('go')]), closed, live]
    let before: LanguageModelV3Message[] = []
    for (let at = 0; at < 5; at++) {
      const called = call('call_0')
      live.parts.push(text(`${at} answer`), { ...called, state: 'input-available', output: undefined })
      const open = await convertRows(rows, options)
      expect(open).toEqual(await convertRows(structuredClone(rows), options))
      live.parts[live.parts.length - 1] = called
      live.parts.push(step())
      const settled = await convertRows(rows, options)
      expect(settled).toEqual(await convertRows(structuredClone(rows), options))
      expect(settled).toHaveLength(3 + 2 * (at + 1))
      for (const [index, message] of before.entries()) expect(settled[index]).toBe(message)
      before = settled
    }
  })

  it('F-7 gives the same merged message while all that it is merged from is the same', async () => {
    const { load } = attachments()
    const options = { modelRef: MODEL, loadAttachment: load }
    const rows = [row('a', 'user', [text('a')]), row('b', 'user', [text('b')]), row('c', 'assistant', [text('c')])]
    const first = await convertRows(rows, options)
    expect(first).toHaveLength(2)
    const second = await convertRows([...rows, row('d', 'user', [text('d')])], options)
    expect(second.slice(0, 2).map((message, index) => message === first[index])).toEqual([true, true])
    const changed = await convertRows([...rows.slice(0, 1), row('b', 'user', [text('b')]), ...rows.slice(2)], options)
    expect(changed).toEqual(first)
    expect(changed[0]).not.toBe(first[0])
    expect(changed[1]).toBe(first[1])
  })

  it('L-4 renames a call anew when an earlier row takes its id', async () => {
    const { load } = attachments()
    const options = { modelRef: MODEL, loadAttachment: load }
    const [go, late] = [row('p', 'user', [text('go')]), row('b', 'assistant', [call('call_0', 'late'), step()])]
    const early = row('a', 'assistant', [call('call_0', 'early'), step()])
    const idOf = (messages: LanguageModelV3Message[]) => {
      const part = messages.at(-1)?.content[0]
      return typeof part === 'object' && 'toolCallId' in part ? part.toolCallId : null
    }
    expect(idOf(await convertRows([go, late], options))).toBe('call_0')
    expect(idOf(await convertRows([go, early, late], options))).not.toBe('call_0')
    expect(idOf(await convertRows([go, late], options))).toBe('call_0')
  })

  it('F-7 reads an attachment once for a turn, and asks again for one that was not there', async () => {
    const { load, reads, gone } = attachments()
    const options = { modelRef: MODEL, loadAttachment: load }
    const gonePart = { type: 'file', mediaType: 'image/png', url: [...gone].join(''), filename: 'b.png' }
    const rows = [row('p', 'user', [{ type: 'file', mediaType: 'image/png', url: HERE }, gonePart])]
    const first = await convertRows(rows, options)
    expect(await convertRows(rows, options)).toEqual(first)
    expect(reads.filter((url) => url === HERE)).toHaveLength(1)
    gone.clear()
    const back = await convertRows(rows, options)
    expect(back[0]?.content[1]).toMatchObject({ type: 'file', filename: 'b.png' })
    const other = attachments()
    await convertRows(rows, { ...options, loadAttachment: other.load })
    expect(other.reads).toHaveLength(2)
  })
})

describe('prepareRequest with one more row', () => {
  it('F-7 F-11 P-4 converts that row, reads its attachment and encodes its texts, and nothing else', async () => {
    const { load, reads } = attachments()
    const encoded: string[] = []
    // Remembers no text: whatever is encoded again is seen.
    const counter = createTokenCounter({
      workerFile: null,
      cacheMaxChars: 0,
      countInProcess: async (texts, encoding) => {
        encoded.push(...texts)
        return countEach(texts, encoding)
      }
    })
    const turn: TurnSettings = {
      modelRef: MODEL,
      // The bytes are over the ceiling, the tokens are not: every request is counted.
      limits: { contextLimit: 40_000, maxOutputTokens: 1_000 },
      providerOptions: {},
      supportsCacheMarks: true,
      systemText: 'You are a coding agent. '.repeat(1_500),
      tools: [{ type: 'function', name: 'bash', description: 'Runs a command.', inputSchema: { type: 'object' } }],
      deferredTools: [],
      loadAttachment: load,
      async countTokens(prompt, tools) {
        const counted = await countRequest({ prompt, tools }, { encoding: 'o200k_base', counter })
        if (!counted.ok) throw new Error(counted.error.message)
        return { kind: 'counted', tokens: counted.value.tokens }
      }
    }
    const prepare = async (rows: readonly Row[], settings = turn) => {
      const request = await prepareRequest(rows, settings)
      if (request.kind === 'rejected') throw new Error(request.message)
      return request
    }
    const picture = (filename = 'attachment') => ({ type: 'file', mediaType: 'image/png', url: HERE, filename })
    const rows = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? row(`p${index}`, 'user', [text(`question ${index}`), picture()])
        : row(`a${index}`, 'assistant', [text(`look ${index}`), call(`call_${index}`), step(), text('done'), step()])
    )
    const before = await prepare(rows)
    expect(before.counted).toBe(true)
    encoded.length = 0
    reads.length = 0
    const added = row('p', 'user', [text('and one more thing'), picture('tide.png')])
    const after = await prepare([...rows, added])
    expect(encoded).toEqual(['and one more thing', 'tide.png'])
    expect(reads).toEqual([HERE])
    const known = new Set(before.prompt)
    expect(after.prompt.filter((message) => !known.has(message))).toEqual([after.prompt.at(-1)])
    const fresh = await prepare(structuredClone([...rows, added]), { ...turn })
    expect(after).toEqual(fresh)
  })
})
