// Owns random rows for property tests: every kind, every part, also what a newer version or damage leaves.
import * as fc from 'fast-check'
import { ROW_KINDS } from '../rows/row-kinds'
import type { RowKind } from '../rows/row-kinds'
import { ToolState } from '../rows/row-schema'
import type { Row, RowMetadata, RowPart } from '../rows/row-schema'

/** The kinds that a `machine.type` names. */
export const MACHINE_KINDS = (Object.keys(ROW_KINDS) as RowKind[]).filter(
  (kind) => !['person', 'assistant', 'compaction-summary', 'plain-reset', 'unknown'].includes(kind)
)

const words = fc.constantFrom('', ' ', '\n', 'hello', 'a longer text\nof two lines', '🌊', 'data:image/png;base64,AAAA')
const count = fc.nat({ max: 100_000 })
const modelRef = fc.constantFrom('anthropic:sea-1', 'anthropic:sea-2', 'openai:foam', 'local:qwen3:8b')
const signed = fc.option(fc.constantFrom({ anthropic: { signature: 'sig-1' } }, { openai: { itemId: 'item-1' } }), {
  nil: undefined
})

/** A random usage. */
export const arbitraryUsage = fc.record({
  inputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
  reasoningTokens: count
})

const text = fc.record({ type: fc.constant('text' as const), text: words }, { requiredKeys: ['type', 'text'] })
const reasoning = fc
  .record({ type: fc.constant('reasoning' as const), text: words, providerMetadata: signed })
  .map(withoutUndefined)
const step = fc.record({
  type: fc.constant('step' as const),
  requestSequence: count,
  model: modelRef,
  usage: arbitraryUsage
})
const jsonValue = fc.oneof(
  fc.constant(null),
  words,
  fc.nat(),
  fc.constantFrom([], ['a'], { command: 'ls' }, { deep: { path: 'a.ts' } })
)
const media = fc.constantFrom(
  { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'AAAA' }] },
  { type: 'content', value: [{ type: 'text', text: '' }] },
  { type: 'content', value: [] },
  { type: 'content', value: [{ type: 'media' }] },
  { type: 'content', value: 'no list' }
)
const tool = fc
  .record({
    type: fc.constant('dynamic-tool' as const),
    toolCallId: fc.constantFrom('call_1', 'call_2', 'functions.bash:0', 'ünïcode', '', 'x'.repeat(90)),
    toolName: fc.constantFrom('bash', 'file_read', 'mcp__server__tool'),
    state: fc.constantFrom(...ToolState.options),
    input: jsonValue,
    output: fc.oneof(jsonValue, media),
    errorText: fc.option(words, { nil: undefined }),
    providerExecuted: fc.constantFrom(undefined, undefined, true),
    providerMetadata: signed
  })
  .map(withoutUndefined)
const file = fc.record({
  type: fc.constant('file' as const),
  mediaType: fc.constantFrom('image/png', 'application/pdf', 'text/plain'),
  url: fc.constantFrom(`attachment:${'a'.repeat(64)}`, `attachment:${'b'.repeat(64)}`),
  filename: fc.constantFrom('a.png', 'notes.txt')
})
/** A type that this version does not know, and known types in forms that it cannot use. */
const odd = fc.constantFrom<RowPart>(
  { type: 'hologram', frames: [1, 2] },
  { type: 'text', text: 5 },
  { type: 'reasoning' },
  { type: 'step', model: 'anthropic:sea-1', requestSequence: 1 },
  { type: 'dynamic-tool', toolCallId: 'call_9', toolName: 'bash', state: 'output-streaming', input: {} },
  { type: 'file', url: 7 }
)

export const arbitraryPart: fc.Arbitrary<RowPart> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: reasoning },
  { weight: 3, arbitrary: step },
  { weight: 4, arbitrary: tool },
  { weight: 1, arbitrary: file },
  { weight: 1, arbitrary: odd }
) as fc.Arbitrary<RowPart>

const arbitraryMetadata: fc.Arbitrary<RowMetadata> = fc.oneof(
  { weight: 6, arbitrary: modelRef.map((model): RowMetadata => ({ model })) },
  { weight: 2, arbitrary: fc.constantFrom(...MACHINE_KINDS, 'from-the-future').map(machineMetadata) },
  { weight: 1, arbitrary: fc.constantFrom<RowMetadata>({ contextBoundaryKind: 'compaction' }) },
  { weight: 1, arbitrary: fc.constantFrom<RowMetadata>({ contextBoundaryKind: 'reset' }) }
)

/** A row of any kind with any parts; ids are given by `arbitraryRows`. */
const arbitraryRow: fc.Arbitrary<Row> = fc.record({
  id: fc.constant(''),
  role: fc.constantFrom('user' as const, 'assistant' as const),
  parts: fc.array(arbitraryPart, { maxLength: 8 }),
  metadata: arbitraryMetadata
})

/** Rows of one history: ids and sequences are their places. */
export function arbitraryRows(maxLength = 8): fc.Arbitrary<Row[]> {
  return fc.array(arbitraryRow, { maxLength }).map((rows) =>
    rows.map((row, index) => ({
      ...row,
      id: `r${index + 1}`,
      metadata: { ...row.metadata, historySequence: index + 1 }
    }))
  )
}

function machineMetadata(type: string): RowMetadata {
  return {
    synthetic: true,
    machine: { type },
    ...(type === 'context-window-rollover' ? { contextBoundaryKind: 'reset' as const } : {})
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
