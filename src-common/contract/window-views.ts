// Owns how context windows, their verification and edits of the history look from outside (H-6, H-10).
import { z } from 'zod'

export const WindowView = z.object({
  windowId: z.string(),
  kind: z.enum(['root', 'reset', 'rollover', 'compaction']),
  rows: z.number(),
  bytes: z.number(),
  firstSequence: z.number().nullable(),
  lastSequence: z.number().nullable(),
  startedAtMs: z.number().nullable(),
  /** It is the one that is sent to a model and appended to. */
  current: z.boolean()
})
export type WindowView = z.infer<typeof WindowView>

/** Whether a window's bytes are what they were when they were written: integrity, not authorship. */
export const WindowVerdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verified'), windowId: z.string(), rows: z.number() }),
  z.object({
    kind: z.literal('differs'),
    windowId: z.string(),
    /** As they were noted. */
    rows: z.number(),
    /** The first row that is not what was noted of it. */
    difference: z.object({
      what: z.enum(['changed', 'missing', 'added', 'order']),
      /** Line of the window's file, from 1. */
      line: z.number(),
      rowId: z.string().nullable(),
      historySequence: z.number().nullable()
    }),
    /** The same in one sentence. */
    message: z.string()
  })
])
export type WindowVerdict = z.infer<typeof WindowVerdict>

/** What a text would cut: nothing was changed. Ask the person, then send it with `confirmed`. */
const CutQuestion = {
  rows: z.number(),
  windows: z.number(),
  /** What will be cut, in words. */
  message: z.string()
}

/** What became of a text that was sent. */
export const SendAnswer = z.discriminatedUnion('accepted', [
  /** `done`: the text was a slash command, and it is carried out. */
  z.object({ accepted: z.enum(['started', 'queued', 'done']), entryId: z.string() }),
  z.object({ accepted: z.literal('needs-confirmation'), ...CutQuestion })
])
export type SendAnswer = z.infer<typeof SendAnswer>

/** What became of *edit from here*. */
export const RowEditAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sent'), accepted: z.enum(['started', 'queued']), entryId: z.string() }),
  /** It would take later windows with it. */
  z.object({ kind: z.literal('needs-confirmation'), ...CutQuestion })
])
export type RowEditAnswer = z.infer<typeof RowEditAnswer>

/** A command that can be typed in place of a message, or a skill that a message can begin with. */
export const CommandView = z.object({
  kind: z.enum(['command', 'skill']),
  /** With its slash. */
  name: z.string(),
  /** What may follow it, as a person would write it. */
  arguments: z.string(),
  description: z.string()
})
export type CommandView = z.infer<typeof CommandView>
