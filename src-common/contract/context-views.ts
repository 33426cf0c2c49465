// Owns what main tells of a context window's contents (U-6): tokens by section, counted in main alone.
import { z } from 'zod'

/** What the next request of the window in force would hold. Every number is in tokens. */
export const ContextSections = z.object({
  windowId: z.string(),
  /** PROVIDER_ID:MODEL_ID whose tokenizer counted. */
  model: z.string(),
  sections: z.object({
    system: z.number(),
    memories: z.number(),
    notes: z.number(),
    tools: z.number(),
    /** What was said and called. */
    messages: z.number(),
    toolResults: z.number(),
    /** Pictures and documents. */
    files: z.number()
  }),
  /** The sum of the sections. */
  tokens: z.number(),
  /** The model's own tokenizer is not public; a stand-in counted. */
  estimated: z.boolean(),
  /** Kept free for the answer; null for an unknown limit. */
  outputReserve: z.number().nullable()
})
export type ContextSections = z.infer<typeof ContextSections>

const carriedItem = {
  /** What `context.setCarryOver` names it by. */
  id: z.string(),
  isOn: z.boolean()
}

/** Something that the next compaction carries over unless it is switched off (K-8). */
export const CarriedItem = z.discriminatedUnion('kind', [
  /** `problem`: why it cannot be carried as it is, in a sentence; null where it can. */
  z.object({ kind: z.literal('plan'), ...carriedItem, path: z.string(), problem: z.string().nullable() }),
  /** Lines over all changes in the window. */
  z.object({ kind: z.literal('file'), ...carriedItem, path: z.string(), added: z.number(), removed: z.number() }),
  z.object({ kind: z.literal('todo'), ...carriedItem, count: z.number() }),
  z.object({ kind: z.literal('skill'), ...carriedItem, name: z.string() })
])
export type CarriedItem = z.infer<typeof CarriedItem>

export const CarryOverView = z.object({
  /** The switch for all; the items keep their own. */
  isOn: z.boolean(),
  items: z.array(CarriedItem)
})
export type CarryOverView = z.infer<typeof CarryOverView>
