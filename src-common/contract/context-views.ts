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
