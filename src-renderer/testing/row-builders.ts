// Owns rows as a real session has them, for stories, tests and benchmarks of the transcript. Deterministic:
// ids and times are counted, so that two runs look the same.
import type { Row, RowMetadata, RowPart, TokenUsage, ToolPart } from '@common/rows/row-schema'
import type { ToolInput, ToolName, ToolOutput } from '@common/tools/tool-contracts'

/** The time of the first row of every story: a morning in spring. */
export const STORY_START_MS = Date.UTC(2026, 3, 14, 9, 30)

export interface RowSource {
  person(text: string, extra?: { readonly parts?: RowPart[]; readonly metadata?: RowMetadata }): Row
  assistant(parts: RowPart[], metadata?: RowMetadata): Row
  machine(type: string, text: string, metadata?: RowMetadata): Row
  boundary(kind: 'rollover' | 'reset', note?: Readonly<Record<string, unknown>>): Row
  compaction(summary: string, figures?: Partial<NonNullable<RowMetadata['compaction']>>): Row
  notSent(text: string, note?: Readonly<Record<string, unknown>>): Row
}

/** Makes rows with rising sequences and times, each a minute after the one before. */
export function rowSource(prefix = 'r'): RowSource {
  let sequence = 0
  const make = (role: Row['role'], parts: RowPart[], metadata: RowMetadata = {}): Row => {
    sequence += 1
    const timestamp = STORY_START_MS + sequence * 60_000
    return { id: `${prefix}${sequence}`, role, parts, metadata: { historySequence: sequence, timestamp, ...metadata } }
  }
  return {
    person: (text, extra = {}) => make('user', [...(extra.parts ?? []), { type: 'text', text }], extra.metadata),
    assistant: (parts, metadata = {}) =>
      make('assistant', parts, {
        model: 'anthropic:claude-sonnet',
        agentId: 'exec',
        durationMs: 12_400,
        costUsd: 0.0312,
        usage: usageOf(1_840, 620),
        ...metadata
      }),
    machine: (type, text, metadata = {}) =>
      make('user', text === '' ? [] : [{ type: 'text', text }], { synthetic: true, machine: { type }, ...metadata }),
    boundary: (kind, note = {}) =>
      make('assistant', [], {
        synthetic: true,
        contextBoundaryKind: 'reset',
        ...(kind === 'reset'
          ? {}
          : {
              machine: {
                type: 'context-window-rollover',
                rolloverId: `roll-${sequence}`,
                reason: 'on-send',
                previousWindowId: 'w:0',
                flushOpportunity: true,
                contextTokens: 182_400,
                maxTokens: 200_000,
                ...note
              }
            })
      }),
    compaction: (summary, figures = {}) =>
      make('assistant', [{ type: 'text', text: summary }], {
        contextBoundaryKind: 'compaction',
        model: 'anthropic:claude-sonnet',
        durationMs: 9_400,
        costUsd: 0.0214,
        compaction: { reason: 'manual', beforeTokens: 12_400, afterTokens: 1_100, trimmedRows: 0, ...figures }
      }),
    notSent: (text, note = {}) =>
      make('assistant', [], {
        machine: {
          type: 'rejected-input',
          reason: 'fresh_request_too_large',
          message:
            'The message with its attachments does not fit a fresh window of demo:tide-1. Shorten it, remove attachments, or choose a larger model.',
          parts: [{ type: 'text', text }],
          ...note
        }
      })
  }
}

/** A call of a known tool that ended well. */
export function toolDone<Name extends ToolName>(
  toolName: Name,
  input: ToolInput<Name>,
  output: ToolOutput<Name>,
  extra: Partial<ToolPart> = {}
): ToolPart {
  return toolPart(toolName, input, { state: 'output-available', output, durationMs: 420, ...extra })
}

/** A call in any state; without more it has been asked for and not ended. */
export function toolPart(toolName: string, input: unknown, extra: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'dynamic-tool',
    toolCallId: `${toolName}-${JSON.stringify(input)}-${extra.state ?? 'open'}`,
    toolName,
    state: 'input-available',
    input,
    ...extra
  }
}

export function text(words: string): RowPart {
  return { type: 'text', text: words }
}

export function reasoning(words: string): RowPart {
  return { type: 'reasoning', text: words }
}

/** Closes a step. */
export function step(requestSequence: number): RowPart {
  return { type: 'step', requestSequence, model: 'anthropic:claude-sonnet', usage: usageOf(900, 210) }
}

export function usageOf(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, cacheReadTokens: inputTokens * 9, cacheWriteTokens: 320, outputTokens, reasoningTokens: 0 }
}
