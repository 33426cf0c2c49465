// K-1, K-3, K-9: what a compaction carries is one text of bounded length, in one order, and says what it leaves out.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, POST_COMPACTION_CONTEXT_CHARS } from '@common/constants'
import type { NewRow } from '@common/rows/row-schema'
import { boundaryRow } from './boundary-row'
import { fairShares } from './fair-shares'
import { type CarriedFile, type CarrySources, renderPostCompactionContext } from './post-compaction-context'

const seen = { path: 'plan.md', content: 'sha256:0', bytes: 1, seenAtMs: 1 }
const plan = (content: string): CarrySources['plan'] => ({ path: 'plan.md', content, modifiedMs: 1, seen })
const file = (path: string, ...diffs: string[]): CarriedFile => ({
  path,
  added: 2,
  removed: 1,
  diffs,
  before: null,
  seen: null,
  isChangedSince: false
})
const NOTHING: CarrySources = { plan: null, files: [], todo: [], skillNames: [] }
const todoItem = (content: string) => ({ content, status: 'pending' as const })

async function render(sources: Partial<CarrySources>) {
  return renderPostCompactionContext(
    { ...NOTHING, ...sources },
    { nowMs: 7, countTokens: async (text) => Math.ceil(text.length / 4) }
  )
}

describe('K-1 the carried context', () => {
  it('holds plan, edited files, to-do list and skills in this order, each as it is', async () => {
    const context = await render({
      plan: plan('# Plan\n1. Tests'),
      files: [file('src/b.ts', '+newest', '+older'), { ...file('src/a.ts', '+a'), isChangedSince: true }],
      todo: [todoItem('one'), { content: 'two', status: 'in_progress' }, { content: 'three', status: 'completed' }],
      skillNames: ['sql', 'pdf']
    })
    expect(context?.text.split('\n\n').slice(1)).toEqual([
      'The plan (plan.md):',
      '# Plan\n1. Tests',
      'Files that were edited in what was summarised, the one edited last first, each with its newest change first:',
      'src/b.ts: +2 −1 lines\n+newest\n+older',
      'src/a.ts: +2 −1 lines; changed by something else since, so read it again\n+a',
      'The to-do list:\n- [ ] one\n- [~] two\n- [x] three',
      'Skills that were pointed out: sql, pdf.'
    ])
    expect(context).toMatchObject({
      skillNames: ['sql', 'pdf'],
      builtAtMs: 7,
      plan: { content: '# Plan\n1. Tests', seen }
    })
    expect(context?.tokens).toBe(Math.ceil((context?.text.length ?? 0) / 4))
  })

  it('is none where there is nothing', async () => {
    expect(await render({})).toBeNull()
  })

  it('names a plan that is there and cannot be carried, and is no baseline of it', async () => {
    const context = await render({ plan: { path: 'plan.md', problem: 'it is a folder.' } })
    expect(context?.text).toContain('The plan (plan.md) is not here: it is a folder.')
    expect(context).not.toHaveProperty('plan')
  })
})

describe('K-3 the room', () => {
  it('goes to the plan first; the others share what is left, and short ones stay whole', async () => {
    const context = await render({
      plan: plan('p'.repeat(60_000)),
      files: [file('src/long.ts', 'd'.repeat(50_000)), file('src/short.ts', '+short')],
      todo: [todoItem('the only item')],
      skillNames: ['sql']
    })
    expect(context?.text).toContain('p'.repeat(60_000))
    for (const whole of ['src/short.ts: +2 −1 lines\n+short', 'the only item', 'pointed out: sql.'])
      expect(context?.text).toContain(whole)
    expect(context?.text).toMatch(/d{9000,}\n\[Cut here: what changed in this file, 50001 characters in all\.\]/)
    expect(context?.text.length).toBeLessThanOrEqual(POST_COMPACTION_CONTEXT_CHARS)
    expect(context?.text.length).toBeGreaterThan(POST_COMPACTION_CONTEXT_CHARS - 300)
  })

  it('K-5 K-9 cuts a plan that takes all of it with a marker, names what found none, and lists every skill', async () => {
    const context = await render({
      plan: plan('🌊'.repeat(50_000)),
      todo: [todoItem('x')],
      skillNames: ['cut', 'away']
    })
    expect(context?.text).toContain('[Cut here: the plan,')
    expect(context?.text).toContain('[No room here for: the to-do list, the skills.]')
    expect(context?.text).not.toMatch(/\p{Surrogate}/u)
    expect(context).not.toHaveProperty('plan')
    expect(context?.skillNames).toEqual(['cut', 'away'])
  })

  it('is never passed, whatever is carried, and a text that fits is never cut (fuzz)', async () => {
    const text = fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 9_000 }))
    const long = text.map(([piece, times]) => piece.repeat(times).slice(0, 100_000))
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          plan: fc.option(long.map(plan)),
          files: fc.array(
            long.map((diff) => file(diff.slice(0, 40), diff)),
            { maxLength: 5 }
          ),
          todo: fc.array(long.map(todoItem), { maxLength: 3 }),
          skillNames: fc.array(fc.string(), { maxLength: 3 })
        }),
        async (sources) => {
          const context = await render(sources)
          if (context === null) return
          expect(context.text.length).toBeLessThanOrEqual(POST_COMPACTION_CONTEXT_CHARS)
          const pieces = [
            ...(sources.plan !== null && 'content' in sources.plan ? [sources.plan.content] : []),
            ...sources.files.flatMap(({ diffs }) => diffs),
            ...sources.todo.map(({ content }) => content)
          ]
          const isShort = pieces.reduce((sum, piece) => sum + piece.length, 0) < POST_COMPACTION_CONTEXT_CHARS - 2_000
          if (isShort) for (const piece of pieces) expect(context.text).toContain(piece)
        }
      ),
      { numRuns: 60, seed: 50_301 }
    )
  })

  it('is shared so that nobody gets more than it wants, nothing is lost and the longest are alike (fuzz)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { maxLength: 12 }), fc.nat(20_000), (wants, room) => {
        const shares = fairShares(wants, room)
        const total = shares.reduce((sum, share) => sum + share, 0)
        const wanted = wants.reduce((sum, want) => sum + want, 0)
        expect(shares.every((share, index) => share <= (wants[index] ?? 0))).toBe(true)
        expect(total).toBe(Math.min(room, wanted))
        const cut = shares.filter((share, index) => share < (wants[index] ?? 0))
        if (cut.length > 0) expect(Math.max(...cut) - Math.min(...cut)).toBeLessThanOrEqual(1)
        if (cut.length > 0) expect(Math.max(...shares) - Math.min(...cut)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300, seed: 50_302 }
    )
  })
})

describe('K-3 the line of a boundary', () => {
  const summary = (chars: number): NewRow => ({
    id: 's',
    role: 'assistant',
    parts: [{ type: 'text', text: 's'.repeat(chars) }],
    metadata: {}
  })
  const compaction = { reason: 'manual', beforeTokens: 900, afterTokens: 100, trimmedRows: 0 }
  const carried = async () => render({ plan: plan('p'.repeat(40_000)) })

  it('keeps the summary whole and leaves the context with its plan behind where both do not fit', async () => {
    const context = await carried()
    const fits = boundaryRow(summary(900_000), { context, compaction })
    expect(fits?.metadata.postCompactionContext).toEqual(context)
    expect(fits?.metadata.contextUsage?.inputTokens).toBe(100 + (context?.tokens ?? 0))
    const tight = boundaryRow(summary(980_000), { context, compaction })
    expect(tight?.metadata).not.toHaveProperty('postCompactionContext')
    expect(tight?.metadata).toMatchObject({ contextBoundaryKind: 'compaction', contextUsage: { inputTokens: 100 } })
    expect(tight?.parts).toEqual(summary(980_000).parts)
  })

  it('is none where not even the summary fits', () => {
    expect(boundaryRow(summary(MAX_LINE_BYTES), { context: null, compaction })).toBeNull()
  })
})
