// Owns the format of a stored row: one line of JSON in a window file.
// Tolerant when read: unknown fields, part types and machine types are kept, never dropped.
// SDK types are converted at the edge (context/convert-rows), so an SDK upgrade cannot change a file.
import { z } from 'zod'
import { SeenFile } from './seen-file'
import { SkillPointer } from './skill-pointer'

/** Token counts of one request or a sum of them. `inputTokens` is the uncached part only. */
export const TokenUsage = z.looseObject({
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number()
})
export type TokenUsage = z.infer<typeof TokenUsage>

const ProviderMetadata = z.record(z.string(), z.record(z.string(), z.unknown()))
export type ProviderMetadata = z.infer<typeof ProviderMetadata>

export const TextPart = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  providerMetadata: ProviderMetadata.optional()
})
export type TextPart = z.infer<typeof TextPart>

export const ReasoningPart = z.looseObject({
  type: z.literal('reasoning'),
  text: z.string(),
  providerMetadata: ProviderMetadata.optional()
})
export type ReasoningPart = z.infer<typeof ReasoningPart>

/** Closes a step and carries that request's own figures. */
export const StepPart = z.looseObject({
  type: z.literal('step'),
  requestSequence: z.number(),
  model: z.string(),
  usage: TokenUsage,
  finishReason: z.string().optional()
})
export type StepPart = z.infer<typeof StepPart>

export const ToolState = z.enum(['input-available', 'output-available', 'output-error', 'output-denied', 'interrupted'])
export type ToolState = z.infer<typeof ToolState>

/** Where the whole of a capped value lives: `spill/<id>`, its size in bytes, its media type. */
export const SpillReference = z.looseObject({ id: z.string(), bytes: z.number(), mediaType: z.string().optional() })
export type SpillReference = z.infer<typeof SpillReference>

export const ToolPart = z.looseObject({
  type: z.literal('dynamic-tool'),
  toolCallId: z.string(),
  toolName: z.string(),
  state: ToolState,
  input: z.unknown(),
  /** The typed result when `output-available`. */
  output: z.unknown().optional(),
  /** What went wrong, in words for the model and the person, in every other settled state. */
  errorText: z.string().optional(),
  /** The whole input or output when it was over its cap. */
  inputSpill: SpillReference.optional(),
  outputSpill: SpillReference.optional(),
  /** The file whose content the model was given or wrote with this call (O-4); never sent. */
  seen: SeenFile.optional(),
  /** Skills about the path that the call touched, each once a window (O-5); sent behind the result. */
  skillPointers: z.array(SkillPointer).optional(),
  /** Names of deferred tools that this call activated in its window (P-4). */
  activates: z.unknown().optional(),
  startedAtMs: z.number().optional(),
  durationMs: z.number().optional(),
  providerMetadata: ProviderMetadata.optional()
})
export type ToolPart = z.infer<typeof ToolPart>

/** `url` is `attachment:<sha256>`; the bytes live in `attachments/`. */
export const FilePart = z.looseObject({
  type: z.literal('file'),
  mediaType: z.string(),
  url: z.string(),
  filename: z.string().optional(),
  bytes: z.number().optional()
})
export type FilePart = z.infer<typeof FilePart>

/** A part that this version does not know: kept as it is, drawn as a generic line, never sent. */
export const UnknownPart = z.looseObject({ type: z.string() })
export type UnknownPart = z.infer<typeof UnknownPart>

export type KnownPart = TextPart | ReasoningPart | StepPart | ToolPart | FilePart
export type RowPart = KnownPart | UnknownPart

export const KnownPart = z.discriminatedUnion('type', [TextPart, ReasoningPart, StepPart, ToolPart, FilePart])
export const RowPart: z.ZodType<RowPart> = z.union([KnownPart, UnknownPart])

export const PostCompactionContext = z.looseObject({
  text: z.string(),
  tokens: z.number(),
  plan: z.looseObject({ path: z.string(), content: z.string(), modifiedMs: z.number() }).optional(),
  skillNames: z.array(z.string()),
  builtAtMs: z.number(),
  omittedFromRequest: z.number().optional()
})
export type PostCompactionContext = z.infer<typeof PostCompactionContext>

/** What a machine row is about. `type` is one of the kinds of row-kinds.ts or one not known yet. */
export const MachineNote = z.looseObject({ type: z.string() })
export type MachineNote = z.infer<typeof MachineNote>

export const RowMetadata = z.looseObject({
  /** Strictly increasing across all windows, from 1; absent on rows made by hand. */
  historySequence: z.number().optional(),
  /** Milliseconds since the epoch. */
  timestamp: z.number().optional(),
  /** PROVIDER_ID:MODEL_ID that wrote the row. */
  model: z.string().optional(),
  agentId: z.string().optional(),
  /** Sum of the row's steps. */
  usage: TokenUsage.optional(),
  /** The last step's own figures: what the context held then. */
  contextUsage: TokenUsage.optional(),
  providerMetadata: ProviderMetadata.optional(),
  synthetic: z.boolean().optional(),
  uiVisible: z.boolean().optional(),
  machine: MachineNote.optional(),
  contextBoundaryKind: z.enum(['reset', 'compaction']).optional(),
  rolloverId: z.string().optional(),
  copyOf: z.string().optional(),
  requestSequence: z.number().optional(),
  /** The row that this one goes on from (a long answer is stored as several rows). */
  continues: z.string().optional(),
  /** Of a row that goes on: its first part is one of its own (true), or the rest of the last part before it. */
  startsPart: z.boolean().optional(),
  /** The warning right before this input, in the same append (M-4). */
  warningId: z.string().optional(),
  /** The answer stopped at a settled step for its window (`warning`, `rollover`, `compaction`); it goes on with the next input. */
  pausedFor: z.string().optional(),
  /** How the turn ended when not by itself, and the provider error's kind and text. */
  interrupted: z.boolean().optional(),
  error: z.looseObject({ kind: z.string(), message: z.string() }).optional(),
  durationMs: z.number().optional(),
  costUsd: z.number().optional(),
  /** Of a compaction's boundary: why, what was replaced and by how much, in tokens of messages alone. */
  compaction: z
    .looseObject({
      reason: z.string(),
      beforeTokens: z.number(),
      afterTokens: z.number(),
      /** Oldest rows that found no room in the request for the summary. */
      trimmedRows: z.number(),
      /** Where the reason is `idle`: hours in which nothing happened. */
      idleHours: z.number().optional()
    })
    .optional()
    .catch(undefined),
  /** In a form that cannot be read it counts as none (K-7): what is beside a summary never costs its row the boundary. */
  postCompactionContext: PostCompactionContext.optional().catch(undefined)
})
export type RowMetadata = z.infer<typeof RowMetadata>

export const Row = z.looseObject({
  id: z.string().min(1),
  role: z.enum(['user', 'assistant']),
  parts: z.array(RowPart),
  metadata: RowMetadata
})
export type Row = z.infer<typeof Row>

/** A row before it is appended: the history gives it its `historySequence`. */
export type NewRow = Row

/**
 * True for a part of this version's own closed set, in a form that it can use; narrows away UnknownPart. A known
 * type in another form (a newer version's tool state, a damaged text) counts as unknown: kept, never sent.
 */
export function isKnownPart(part: RowPart): part is KnownPart {
  const fields: UnknownPart = part
  switch (fields.type) {
    case 'text':
    case 'reasoning':
      return isText(fields['text']) && isMetadataOrNone(fields['providerMetadata'])
    case 'step':
      return isText(fields['model']) && isCount(fields['requestSequence']) && isUsage(fields['usage'])
    case 'dynamic-tool':
      return (
        isText(fields['toolCallId']) &&
        isText(fields['toolName']) &&
        TOOL_STATES.has(fields['state']) &&
        (fields['errorText'] === undefined || isText(fields['errorText'])) &&
        isMetadataOrNone(fields['providerMetadata'])
      )
    case 'file':
      return isText(fields['mediaType']) && isText(fields['url'])
    default:
      return false
  }
}

/** The tool calls of a row, in order. */
export function toolPartsOf(row: Row): ToolPart[] {
  return row.parts.filter((part): part is ToolPart => isKnownPart(part) && part.type === 'dynamic-tool')
}

/**
 * Reads a parsed JSON value as a row, as tolerantly as a newer version's file asks for: a row needs
 * only a string id; an unknown role counts as assistant, parts that have no `type` are passed over
 * here (never on disk), damaged metadata counts as a machine row of unknown type.
 * Returns null when the value is no row at all.
 */
export function readRow(value: unknown): Row | null {
  const strict = Row.safeParse(value)
  if (strict.success) return strict.data
  const loose = z.looseObject({ id: z.string().min(1) }).safeParse(value)
  if (!loose.success) return null
  const metadata = RowMetadata.safeParse(loose.data['metadata'] ?? {})
  const parts = Array.isArray(loose.data['parts']) ? loose.data['parts'] : []
  const role = loose.data['role'] === 'user' ? 'user' : 'assistant'
  const known = role === loose.data['role'] && metadata.success
  return {
    ...loose.data,
    role,
    parts: parts.flatMap((part) => {
      const parsed = RowPart.safeParse(part)
      return parsed.success ? [parsed.data] : []
    }),
    metadata: known
      ? metadata.data
      : { ...sequenceOf(loose.data['metadata']), synthetic: true, machine: { type: 'unreadable-row' } }
  }
}

function sequenceOf(metadata: unknown): { historySequence?: number } {
  const parsed = z.looseObject({ historySequence: z.number() }).safeParse(metadata)
  return parsed.success ? { historySequence: parsed.data.historySequence } : {}
}

const TOOL_STATES: ReadonlySet<unknown> = new Set(ToolState.options)
const USAGE_FIELDS = Object.keys(TokenUsage.shape)

// Looks, not parses: these run for every part of every row that is drawn or sent.

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

function isUsage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const usage = value as Readonly<Record<string, unknown>>
  return USAGE_FIELDS.every((field) => isCount(usage[field]))
}

function isMetadataOrNone(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null)
}
