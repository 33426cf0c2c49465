// Owns what a model is asked when a window is summarised (C-1): the row of the request and its words. Pure.
import type { NewRow } from '@common/rows/row-schema'

export type CompactionReason = 'manual' | 'automatic' | 'idle'

export interface CompactionWish {
  readonly reason: CompactionReason
  /** What the person wants the summary to dwell on; empty for nothing in particular. */
  readonly instructions: string
  /** Of an idle one: whole hours in which nothing happened. */
  readonly idleHours?: number
}

const REQUEST = [
  'Summarise this conversation so that the work can go on from your summary alone: what came before it is no longer sent to you.',
  'Write down, in this order and as far as there is anything to say:',
  '1. What the person asked for, in their own words where these matter, and every correction that they made.',
  '2. What was decided, and why; what was tried and did not work.',
  '3. What is done, with exact paths, names, commands, numbers and error texts.',
  '4. What is under way at this moment, and the next step.',
  'Be exact and brief. Invent nothing. Call no tool. Answer with the summary alone.'
].join('\n')

/** The row that asks for a summary; it goes into its own request alone. */
export function compactionRequestRow(id: string, nowMs: number, asked: CompactionWish): NewRow {
  const { reason, instructions } = asked
  const wish = instructions.trim()
  const text = wish === '' ? REQUEST : `${REQUEST}\n\nThe person asks for this in particular: ${wish}`
  return {
    id,
    role: 'user',
    parts: [{ type: 'text', text }],
    metadata: {
      timestamp: nowMs,
      synthetic: true,
      uiVisible: true,
      machine: {
        type: 'compaction-request',
        reason,
        ...(wish === '' ? {} : { instructions: wish }),
        ...idleHoursOf(asked)
      }
    }
  }
}

/** As rows keep it: nothing where the wish is no idle one. */
export function idleHoursOf({ idleHours }: CompactionWish): { idleHours?: number } {
  return idleHours === undefined ? {} : { idleHours }
}
