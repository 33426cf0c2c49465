// Rows become display items: what shows, in which order, and which objects stay the same.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildDisplayRows, buildTailItems, canRetryTurn } from './display-rows'
import type { DisplayInput, DisplayRows } from './display-rows'
import { ROW_KINDS } from './row-kinds'
import type { RowKind } from './row-kinds'
import type { Row, RowMetadata, RowPart } from './row-schema'
import type { SessionStatus } from '../contract/views'

const IDLE: SessionStatus = { phase: 'idle', turnStartedAtMs: null, retry: null, lastProblem: null }
const STREAMING: SessionStatus = { ...IDLE, phase: 'streaming', turnStartedAtMs: 1 }
const ALL: Omit<DisplayInput, 'rows'> = { busy: false, hasOlder: false, skippedLines: 0, debug: false }

function rowOf(id: string, kind: RowKind, metadata: RowMetadata = {}, parts?: RowPart[]): Row {
  const plain = kind === 'person' || kind === 'assistant' || kind === 'plain-reset' || kind === 'compaction-summary'
  return {
    id,
    role: kind === 'person' || kind === 'continue' ? 'user' : 'assistant',
    parts: parts ?? [{ type: 'text', text: `text of ${id}` }],
    metadata: {
      ...(plain ? {} : { synthetic: true, machine: { type: kind === 'unknown' ? 'from-the-future' : kind } }),
      ...(kind === 'plain-reset' || kind === 'context-window-rollover' ? { contextBoundaryKind: 'reset' } : {}),
      ...(kind === 'compaction-summary' ? { contextBoundaryKind: 'compaction' } : {}),
      ...metadata
    }
  }
}

function kindsOf(rows: readonly Row[], input: Partial<DisplayInput> = {}): string[] {
  return buildDisplayRows({ ...ALL, ...input, rows }).items.map((item) => item.kind)
}

describe('buildDisplayRows', () => {
  it('draws each kind of row as the row table says (U-4, U-9)', () => {
    const drawn: Record<string, string> = {
      message: 'assistant',
      line: 'line',
      divider: 'divider',
      'not-sent': 'not-sent'
    }
    for (const kind of Object.keys(ROW_KINDS) as RowKind[]) {
      const { screen } = ROW_KINDS[kind]
      const kinds = kindsOf([rowOf('r', kind)], { busy: true })
      if (kind === 'person') expect(kinds).toEqual(['person'])
      else if (kind === 'compaction-summary') expect(kinds).toEqual(['divider', 'assistant'])
      else if (screen === 'hidden' || screen === 'debug') expect(kinds, kind).toEqual([])
      else expect(kinds, kind).toEqual([drawn[screen]])
    }
  })

  it('shows the lead-in to a person who debugs (U-4)', () => {
    expect(kindsOf([rowOf('r', 'context-window-lead-in')], { debug: true })).toEqual(['line'])
  })

  it('draws a machine type that this version does not know as a line, never drops it', () => {
    const [item] = buildDisplayRows({ ...ALL, rows: [rowOf('r', 'unknown')] }).items
    expect(item).toMatchObject({ kind: 'line', rowKind: 'unknown' })
    const quiet = rowOf('r', 'unknown')
    const rows = [{ ...quiet, metadata: { ...quiet.metadata, uiVisible: false } }]
    expect(buildDisplayRows({ ...ALL, rows, debug: false }).items).toEqual([])
    expect(buildDisplayRows({ ...ALL, rows, debug: true }).items).toMatchObject([{ kind: 'line' }])
  })

  it('names where each window opens', () => {
    const rows = [rowOf('a', 'person'), rowOf('b', 'plain-reset'), rowOf('c', 'compaction-summary')]
    const { items, dividerIndexes } = buildDisplayRows({ ...ALL, rows })
    expect(dividerIndexes.map((index) => items[index])).toMatchObject([
      { kind: 'divider', divider: 'reset' },
      { kind: 'divider', divider: 'compaction' }
    ])
  })

  it('sums time and cost of a turn over all its rows, across a rollover (U-2)', () => {
    const step = { type: 'step', requestSequence: 1, model: 'm', usage: usage(1) } as const
    const rows = [
      rowOf('a', 'person'),
      rowOf('b', 'assistant', { durationMs: 1_000, costUsd: 0.25, usage: usage(10) }, [step, step]),
      rowOf('c', 'context-window-rollover'),
      rowOf('d', 'continue'),
      rowOf('e', 'assistant', { durationMs: 500, costUsd: 0.5, usage: usage(5), model: 'demo:tide-1' }, [step])
    ]
    const { items } = buildDisplayRows({ ...ALL, rows })
    const summary = { durationMs: 1_500, costUsd: 0.75, steps: 3, model: 'demo:tide-1', usage: { outputTokens: 15 } }
    expect(items.at(-1)).toMatchObject({ kind: 'assistant', rowId: 'e', turn: summary })
    expect(items[1]).toMatchObject({ kind: 'assistant', rowId: 'b', turn: null })
  })

  it('gives no summary to a turn that runs or whose beginning is not loaded', () => {
    const rows = [rowOf('a', 'person'), rowOf('b', 'assistant')]
    const lastOf = (input: Partial<DisplayInput>) => buildDisplayRows({ ...ALL, rows, ...input }).items.at(-1)
    expect(lastOf({})).toMatchObject({ turn: { steps: 0 } })
    expect(lastOf({ busy: true })).toMatchObject({ turn: null })
    expect(lastOf({ rows: rows.slice(1), hasOlder: true })).toMatchObject({ turn: null })
  })

  it('joins rows of one long answer: only the first begins it (H-13)', () => {
    const rows = [rowOf('a', 'assistant'), rowOf('b', 'assistant', { continues: 'a' })]
    const { items } = buildDisplayRows({ ...ALL, rows, busy: true })
    expect(items.map((item) => item.kind === 'assistant' && item.first)).toEqual([true, false])
  })

  it('cuts a long answer into pieces of about a screen; the last one carries the row', () => {
    const text = Array.from({ length: 400 }, (_, line) => `Paragraph ${line} of a long answer.`).join('\n\n')
    const row = rowOf('a', 'assistant', {}, [{ type: 'text', text }])
    const { items } = buildDisplayRows({ ...ALL, rows: [row], busy: true })
    expect(items.length).toBeGreaterThan(2)
    expect(items.map((item) => item.kind === 'assistant' && item.ends === row)).toEqual(
      items.map((_, index) => index === items.length - 1)
    )
    const joined = items.flatMap((item) =>
      item.kind === 'assistant' ? item.segments.map((segment) => (segment.kind === 'text' ? segment.text : '')) : []
    )
    expect(joined.join('')).toBe(text)
  })

  it('draws a message sent again in a fresh window as a link (P-7)', () => {
    const row = rowOf('b', 'person', { copyOf: 'a' })
    expect(buildDisplayRows({ ...ALL, rows: [row] }).items[0]).toMatchObject({ kind: 'copy', originalRowId: 'a' })
  })

  it('tells how many damaged lines were passed over', () => {
    const { items } = buildDisplayRows({ ...ALL, rows: [], skippedLines: 3 })
    expect(items).toEqual([{ kind: 'damaged', key: 'damaged', lines: 3 }])
  })

  it('built step by step equals a build from scratch, and unchanged rows keep their items (fuzz)', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), fc.boolean(), (changes, debug) => {
        let rows: Row[] = []
        let built: DisplayRows | undefined
        let count = 0
        for (const step of changes) {
          const before = rows
          if (step.where === 'end') rows = [...rows, rowOf(`r${(count += 1)}`, step.kind, { durationMs: 1 })]
          else if (step.where === 'start') rows = [rowOf(`r${(count += 1)}`, step.kind), ...rows]
          else if (step.where === 'cut') rows = rows.slice(step.at)
          else rows = rows.map((row, index) => (index === step.at ? { ...row, metadata: { ...row.metadata } } : row))
          const input = { ...ALL, rows, debug, busy: step.busy, hasOlder: step.hasOlder }
          const next: DisplayRows = buildDisplayRows(input, built)
          expect(next.items).toEqual(buildDisplayRows(input).items)
          const keys = next.items.map((item) => item.key)
          expect(new Set(keys).size).toBe(keys.length)
          expectKept(built, next, before, rows)
          built = next
        }
      }),
      { seed: 20_260_1, numRuns: 300 }
    )
  })
})

describe('buildTailItems', () => {
  const input = { live: null, status: IDLE, lastRow: null, waiting: false }

  it('shows the live row and, below it, that the turn runs', () => {
    const items = buildTailItems({ ...input, live: rowOf('l', 'assistant'), status: STREAMING })
    expect(items.map((item) => item.kind)).toEqual(['assistant', 'working'])
  })

  it('keeps every piece but the growing one, and every settled segment of it', () => {
    const long = Array.from({ length: 300 }, (_, line) => `Paragraph ${line}, which is settled.`).join('\n\n')
    const settled: RowPart = { type: 'text', text: long }
    const at = (text: string) => rowOf('l', 'assistant', {}, [settled, { type: 'text', text }])
    const first = buildTailItems({ ...input, live: at('Now'), status: STREAMING })
    const second = buildTailItems({ ...input, live: at('Now it goes on'), status: STREAMING }, first)
    expect(second.map((item, index) => item === first[index])).toEqual(
      second.map((item) => !(item.kind === 'assistant' && item.ends !== null))
    )
    expect(second).toEqual(buildTailItems({ ...input, live: at('Now it goes on'), status: STREAMING }))
  })

  it('returns the same list when nothing changed', () => {
    const live = rowOf('l', 'assistant')
    const items = buildTailItems({ ...input, live, status: STREAMING })
    expect(buildTailItems({ ...input, live, status: { ...STREAMING } }, items)).toBe(items)
  })

  it('says so when the last message has no answer, and leaves it to the row where the row tells', () => {
    expect(buildTailItems({ ...input, lastRow: rowOf('a', 'person') })).toMatchObject([
      { kind: 'problem', problem: null }
    ])
    expect(buildTailItems({ ...input, lastRow: rowOf('a', 'assistant') })).toEqual([])
    const problem = { outcome: 'failed', reason: 'auth', message: 'No key.' } as const
    const failed = { ...IDLE, lastProblem: problem }
    expect(buildTailItems({ ...input, status: failed, lastRow: rowOf('a', 'person') })).toMatchObject([{ problem }])
    const told = rowOf('a', 'assistant', { error: { kind: 'auth', message: 'No key.' } })
    expect(buildTailItems({ ...input, status: failed, lastRow: told })).toEqual([])
    const blocked = { ...IDLE, lastProblem: { ...problem, outcome: 'context_budget_blocked' as const } }
    expect(buildTailItems({ ...input, status: blocked, lastRow: rowOf('a', 'rejected-input') })).toEqual([])
  })

  it('U-4 says that the work is paused where the last answer stopped for its window and nothing runs', () => {
    const paused = rowOf('a', 'assistant', { pausedFor: 'rollover' })
    const items = buildTailItems({ ...input, lastRow: paused })
    expect(items).toEqual([{ kind: 'paused', key: 'paused' }])
    expect(buildTailItems({ ...input, lastRow: paused }, items)).toBe(items)
    expect(buildTailItems({ ...input, lastRow: paused, status: STREAMING })).toMatchObject([{ kind: 'working' }])
    const problem = { outcome: 'context_budget_blocked', reason: 'history_access', message: 'No.' } as const
    expect(buildTailItems({ ...input, lastRow: paused, status: { ...IDLE, lastProblem: problem } })).toEqual(items)
  })

  it('C-1 draws the summary that streams in one piece, with the keys of the boundary that it becomes', () => {
    const asked = rowOf('q', 'compaction-request')
    const words: RowPart[] = [{ type: 'text', text: 'A paragraph of the summary.\n\n'.repeat(200) }]
    const live = rowOf('s', 'assistant', {}, words)
    const tail = buildTailItems({ ...input, live, lastRow: asked, status: STREAMING })
    expect(tail.map((item) => item.kind)).toEqual(['summarising', 'assistant', 'working'])
    expect(tail[1]).toMatchObject({ summary: true, live: true })
    expect(buildTailItems({ ...input, live, lastRow: asked, status: { ...STREAMING } }, tail)).toBe(tail)
    const stored = buildDisplayRows({ ...ALL, busy: true, rows: [asked, rowOf('s', 'compaction-summary', {}, words)] })
    expect(stored.items.slice(1).map((item) => item.key)).toEqual(tail.slice(0, 2).map((item) => item.key))
    const failed = rowOf('q', 'compaction-request', { error: { kind: 'provider', message: 'No.' } })
    const next = buildTailItems({ ...input, live, lastRow: failed, status: STREAMING })
    expect(next.some((item) => item.kind === 'summarising')).toBe(false)
  })

  it('does not draw a row twice while it is both stored and live', () => {
    const row = rowOf('l', 'assistant')
    const items = buildTailItems({ ...input, live: row, lastRow: row, status: STREAMING })
    expect(items.map((item) => item.kind)).toEqual(['working'])
  })
})

const kind = fc.constantFrom(...(Object.keys(ROW_KINDS) as RowKind[]))
const change = fc.record({
  where: fc.constantFrom('end', 'end', 'end', 'start', 'cut', 'update'),
  kind,
  at: fc.nat(10),
  busy: fc.boolean(),
  hasOlder: fc.boolean()
})

/** An item stays the same object as long as its row does, and the summary of its turn. */
function expectKept(before: DisplayRows | undefined, next: DisplayRows, rowsBefore: Row[], rows: Row[]): void {
  const kept = new Set(rowsBefore.filter((row) => rows.includes(row)).map((row) => row.id))
  for (const item of next.items) {
    const known = before?.sources.get(item.key)
    const now = next.sources.get(item.key)
    if (known?.rows.length === now?.rows.length && known?.rows.every((row) => kept.has(row.id)))
      expect(item).toBe(known?.item)
  }
}

function usage(outputTokens: number) {
  return { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 }
}

describe('canRetryTurn', () => {
  it('offers a retry after a failure, a stop and a message without an answer, and never while a turn runs', () => {
    const problem = { outcome: 'failed', reason: 'auth', message: 'No key.' } as const
    expect(canRetryTurn({ ...IDLE, lastProblem: problem }, rowOf('a', 'assistant'))).toBe(true)
    expect(canRetryTurn(IDLE, rowOf('a', 'assistant', { interrupted: true }))).toBe(true)
    expect(canRetryTurn(IDLE, rowOf('a', 'person'))).toBe(true)
    expect(canRetryTurn(IDLE, rowOf('a', 'assistant'))).toBe(false)
    expect(canRetryTurn(IDLE, null)).toBe(false)
    expect(canRetryTurn(STREAMING, rowOf('a', 'person'))).toBe(false)
  })

  it('C-1 offers none where a summary failed or could not begin: going on is something else', () => {
    const error = { kind: 'provider', message: 'No.' }
    const problem = { outcome: 'failed', reason: 'provider', message: 'No.' } as const
    const asked = rowOf('q', 'compaction-request', { error })
    expect(canRetryTurn({ ...IDLE, lastProblem: problem }, asked)).toBe(false)
    const refused = { ...problem, reason: 'nothing_to_compact' }
    expect(canRetryTurn({ ...IDLE, lastProblem: refused }, rowOf('a', 'assistant'))).toBe(false)
  })
})
