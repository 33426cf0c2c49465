// Proves the trim of a window that is too long to be summarised whole (C-1): what is sent fits, calls keep their results,
// thoughts their seals, something is always left to summarise, and no row is left out that had room.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { hardCeilingOf } from '@common/budget/budget-points'
import { NO_USAGE } from '@common/budget/usage'
import { usesOf } from '@common/rows/row-kinds'
import type { Row, RowPart } from '@common/rows/row-schema'
import { compactionRequestRow } from '../compaction/compaction-request'
import { prepareCompaction } from '../context/prepare-compaction'
import { prepareRequest, type TurnSettings } from '../context/prepare-request'
import { toolPart } from '../history/testing/row-builders'

const MODEL = 'anthropic:sea-1'
const WISH: Row = compactionRequestRow('wish', 1, { reason: 'manual', instructions: '' })

/** A token is four characters of the request's JSON. */
function settingsOf(contextLimit: number): TurnSettings {
  return {
    modelRef: MODEL,
    limits: { contextLimit, maxOutputTokens: 500 },
    providerOptions: {},
    supportsCacheMarks: false,
    systemText: 'You are a coding agent.',
    tools: [],
    deferredTools: [],
    loadAttachment: async () => null,
    countTokens: async (prompt) => ({ kind: 'counted', tokens: tokensOf(prompt) })
  }
}
const tokensOf = (prompt: LanguageModelV3Prompt): number => Math.ceil(JSON.stringify(prompt).length / 4)

type Spec =
  | { readonly kind: 'person'; readonly words: number }
  | { readonly kind: 'answer'; readonly words: number; readonly calls: number; readonly thinks: boolean }
  /** A thought that was stored in two rows. */
  | { readonly kind: 'divided'; readonly words: number }
  | { readonly kind: 'not-sent' }

const words = fc.integer({ min: 0, max: 400 })
const specs = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('person' as const), words }),
    fc.record({ kind: fc.constant('answer' as const), words, calls: fc.nat(3), thinks: fc.boolean() }),
    fc.record({ kind: fc.constant('divided' as const), words }),
    fc.record({ kind: fc.constant('not-sent' as const) })
  ),
  { maxLength: 14 }
)

const step: RowPart = { type: 'step', requestSequence: 1, model: MODEL, usage: NO_USAGE, finishReason: 'stop' }
const thought = (text: string, seal: string | null): RowPart => ({
  type: 'reasoning',
  text,
  ...(seal === null ? {} : { providerMetadata: { anthropic: { signature: seal } } })
})

function rowsOf(list: readonly Spec[], isAfterSummary: boolean): Row[] {
  const rows = list.flatMap((spec, index): Row[] => {
    const id = `r${index}`
    const said = `${id} ${'word '.repeat('words' in spec ? spec.words : 0)}`
    if (spec.kind === 'person') return [{ id, role: 'user', parts: [{ type: 'text', text: said }], metadata: {} }]
    if (spec.kind === 'not-sent') return [{ ...WISH, id }]
    if (spec.kind === 'divided') {
      const second = {
        id: `${id}b`,
        role: 'assistant' as const,
        metadata: { model: MODEL, continues: id, startsPart: false }
      }
      return [
        { id, role: 'assistant', parts: [thought(`${said}|`, null)], metadata: { model: MODEL } },
        { ...second, parts: [thought(`|${said}`, `seal-${id}`), { type: 'text', text: 'So.' }, step] }
      ]
    }
    const calls = Array.from({ length: spec.calls }, (_, at) => toolPart(`${id}-${at}`, { output: { text: said } }))
    const parts = [
      ...(spec.thinks ? [thought(`${said}||${said}`, `seal-${id}`)] : []),
      { type: 'text' as const, text: said },
      ...calls,
      step
    ]
    return [{ id, role: 'assistant', parts, metadata: { model: MODEL } }]
  })
  if (!isAfterSummary) return rows
  const summary: Row = {
    id: 'summary',
    role: 'assistant',
    parts: [{ type: 'text', text: 'What came before.' }],
    metadata: {
      contextBoundaryKind: 'compaction',
      postCompactionContext: { text: 'CARRIED '.repeat(100), tokens: 200, skillNames: [], builtAtMs: 1 }
    }
  }
  return [summary, ...rows]
}

/** Calls without a result right behind, results without a call. */
function unpaired(prompt: LanguageModelV3Prompt): string[] {
  return prompt.flatMap((message, index) => {
    if (message.role !== 'assistant' && message.role !== 'tool') return []
    const other = prompt[message.role === 'assistant' ? index + 1 : index - 1]
    const ids = idsOf(message)
    const others = new Set(other === undefined ? [] : idsOf(other))
    return ids.filter((id) => !others.has(id))
  })
}

function idsOf({ content }: LanguageModelV3Prompt[number]): string[] {
  return typeof content === 'string' ? [] : content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
}

describe('C-1 the request for a summary of a long window', () => {
  it('fits, is whole, is not empty, and leaves out as little as need be (fuzz)', async () => {
    const seen = { whole: 0, trimmed: 0, rejected: 0 }
    await fc.assert(
      fc.asyncProperty(
        specs,
        fc.boolean(),
        fc.integer({ min: 1_500, max: 6_000 }),
        async (list, isAfterSummary, limit) => {
          const turn = settingsOf(limit)
          const window = rowsOf(list, isAfterSummary)
          const sent = window.filter((row) => usesOf(row).provider === 'yes')
          const { request, rows, trimmed } = await prepareCompaction(window, WISH, turn)
          const from = (index: number) => prepareRequest([...sent.slice(index), WISH], turn, 'compaction')
          if (request.kind === 'rejected') {
            seen.rejected++
            // Not even the newest answer alone finds room.
            const newest = sent.findLastIndex(({ metadata }) => metadata.startsPart !== false)
            expect((await from(newest)).kind).toBe('rejected')
            return
          }
          seen[trimmed === 0 ? 'whole' : 'trimmed']++
          expect(tokensOf(request.prompt)).toBeLessThan(hardCeilingOf(turn.limits) ?? 0)
          expect(rows).toEqual([...sent.slice(trimmed), WISH])
          expect(rows.length > 1 || sent.length === 0).toBe(true)
          expect(unpaired(request.prompt)).toEqual([])
          for (const { content } of request.prompt)
            for (const part of typeof content === 'string' ? [] : content)
              if (part.type === 'reasoning') expect(part.text).toMatch(/^(r\d+ (?:word )*)\|\|\1$/)
          expect(JSON.stringify(request.prompt.at(-1))).toContain('Summarise this conversation')
          if (trimmed === 0) return
          const oneLess = sent[trimmed - 1]?.metadata.startsPart === false ? trimmed - 2 : trimmed - 1
          expect((await from(oneLess)).kind).toBe('rejected')
        }
      ),
      { numRuns: 150, seed: 50_101 }
    )
    expect(Math.min(seen.whole, seen.trimmed, seen.rejected)).toBeGreaterThan(5)
  })

  it('C-1 K-4 leaves a summary that began the window out together with what it carries', async () => {
    const window = rowsOf(
      [
        { kind: 'person', words: 300 },
        { kind: 'person', words: 300 }
      ],
      true
    )
    const { request, trimmed } = await prepareCompaction(window, WISH, settingsOf(1_450))
    expect(trimmed).toBe(1)
    expect(JSON.stringify(request)).not.toContain('CARRIED')
    const whole = await prepareCompaction(window, WISH, settingsOf(6_000))
    const prompt = whole.request.kind === 'prepared' ? whole.request.prompt : []
    expect(JSON.stringify(prompt).match(/CARRIED /g)).toHaveLength(100)
  })

  it('is refused where one row alone is larger than the model takes, whatever else is there', async () => {
    const window = rowsOf(
      [
        { kind: 'person', words: 1 },
        { kind: 'answer', words: 2_000, calls: 2, thinks: true }
      ],
      false
    )
    const { request } = await prepareCompaction(window, WISH, settingsOf(4_000))
    expect(request).toMatchObject({ kind: 'rejected', reason: 'too_large' })
  })

  it('C-1 P-3 is tried no further where it cannot be counted', async () => {
    let asked = 0
    const turn = settingsOf(1_500)
    const broken: TurnSettings = {
      ...turn,
      async countTokens() {
        asked++
        return { kind: 'failed', message: 'The counter stopped.' }
      }
    }
    const { request } = await prepareCompaction(rowsOf([{ kind: 'person', words: 900 }], false), WISH, broken)
    expect([request.kind, asked]).toEqual(['rejected', 1])
  })
})
