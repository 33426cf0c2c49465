// Owns which reset counts as automatic (S-3): only a row whose every field has the form in which a rollover is written.
// Anything else that resets is a person's, and a floor that no agent looks behind. Writers build rows that pass here.
import { z } from 'zod'

export const RolloverReason = z.enum(['on-send', 'mid-stream', 'context-exceeded'])
export type RolloverReason = z.infer<typeof RolloverReason>

/** What a rollover's boundary row says of it. */
export const RolloverNote = z.looseObject({
  type: z.literal('context-window-rollover'),
  rolloverId: z.string().min(1),
  reason: RolloverReason,
  previousWindowId: z.string().regex(/^w:(?:\d{1,15}|m:.+)$/),
  /** Whether the agent was warned and could still write its notes. */
  flushOpportunity: z.boolean(),
  contextTokens: z.number().nonnegative(),
  /** The model's context limit. */
  maxTokens: z.number().positive()
})
export type RolloverNote = z.infer<typeof RolloverNote>

/** The whole boundary row of a rollover. Fields of a newer version are allowed; a missing or other one is not. */
export const RolloverRow = z
  .looseObject({
    id: z.string().min(1),
    role: z.literal('assistant'),
    parts: z.array(z.never()),
    metadata: z.looseObject({
      historySequence: z.number().int().positive().optional(),
      timestamp: z.number().optional(),
      synthetic: z.literal(true).optional(),
      uiVisible: z.boolean().optional(),
      machine: RolloverNote,
      contextBoundaryKind: z.literal('reset'),
      rolloverId: z.string().optional(),
      // A rollover carries nothing over.
      postCompactionContext: z.undefined().optional()
    })
  })
  .refine(({ metadata }) => metadata.rolloverId === undefined || metadata.rolloverId === metadata.machine.rolloverId)

/** How a parsed line bounds a window, by its own metadata alone; null when it does not. */
export type BoundaryNature = 'compaction' | 'rollover' | 'manual'

/**
 * The nature of a line's JSON value. A kind that this version does not know is `manual`: when in doubt the past
 * stays closed.
 */
export function boundaryNatureOf(value: unknown): BoundaryNature | null {
  const kind = fieldOf(fieldOf(value, 'metadata'), 'contextBoundaryKind')
  if (kind === undefined || kind === null) return null
  if (kind === 'compaction') return 'compaction'
  return RolloverRow.safeParse(value).success ? 'rollover' : 'manual'
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
