// Owns the format of a line of requests.jsonl (V-1): an envelope for each request that goes out, and later how it
// ended. Tolerant when read: unknown fields are kept, and a line of another kind is no damage. Pure.
import { z } from 'zod'
import { TokenUsage } from '@common/rows/row-schema'

/** Length in UTF-8 bytes and SHA-256 (hex) of a text. */
const TextDigest = z.looseObject({ bytes: z.number(), sha256: z.string() })
export type TextDigest = z.infer<typeof TextDigest>

export const MessageDigest = TextDigest.extend({ role: z.string() })
export type MessageDigest = z.infer<typeof MessageDigest>

const ToolDigest = TextDigest.extend({ name: z.string() })
export type ToolDigest = z.infer<typeof ToolDigest>

/** Sequences from the first to the last of a run, both included. */
export const SequenceSpan = z.tuple([z.number(), z.number()])
export type SequenceSpan = z.infer<typeof SequenceSpan>

/** Written before the request goes out. */
export const RequestEnvelope = z.looseObject({
  requestSequence: z.number(),
  type: z.literal('request'),
  /** `turn`: a request of an ordinary turn. */
  kind: z.string(),
  /** 0, then 1 for the first retry of the same request. */
  attempt: z.number(),
  atMs: z.number(),
  /** PROVIDER_ID:MODEL_ID; thinking of another provider is left out of what it gets. */
  model: z.string(),
  windowId: z.string(),
  /** The highest sequence among its rows; null for a request without one. */
  lastHistorySequence: z.number().nullable(),
  /** Which rows of the window it was built from, by sequence; those that no provider gets are among them. */
  rows: z.array(SequenceSpan),
  /**
   * The answer under way, which became a row later: so many of its steps were sent. `unsettled`: ids of calls in them
   * that had no result yet, since a provider may give its own tool's result with a later answer.
   */
  liveRow: z.looseObject({ id: z.string(), steps: z.number(), unsettled: z.array(z.string()).optional() }).nullable(),
  system: TextDigest,
  /** Absent where they are those of `after`. */
  tools: z.array(ToolDigest).optional(),
  /** The request written before this one, which it shares messages with; null for an envelope that says everything. */
  after: z.number().nullable(),
  messages: z.looseObject({
    total: z.number(),
    /** So many from the beginning are those of `after`. */
    shared: z.number(),
    added: z.array(MessageDigest),
    /** Of all of them (canonical-request, chainOf). */
    chain: z.string()
  }),
  estimate: z.looseObject({ tokensAtMost: z.number(), counted: z.boolean() })
})
export type RequestEnvelope = z.infer<typeof RequestEnvelope>

/** Written when it is known how the request ended; missing when the app was killed before. */
export const RequestEnd = z.looseObject({
  requestSequence: z.number(),
  type: z.literal('request-end'),
  atMs: z.number(),
  outcome: z.enum(['answered', 'failed', 'interrupted']),
  usage: TokenUsage.optional(),
  finishReason: z.string().optional(),
  /** The kind of the provider's failure (ProviderFailure). */
  failure: z.string().optional()
})
export type RequestEnd = z.infer<typeof RequestEnd>

export type RequestLogLine =
  | { readonly kind: 'request'; readonly envelope: RequestEnvelope }
  | { readonly kind: 'end'; readonly end: RequestEnd }
  /** Of a newer version. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'damaged' }

/** Reads a line's JSON value; undefined for a line that has none. */
export function readRequestLogLine(value: unknown): RequestLogLine {
  const line = z.looseObject({ type: z.string() }).safeParse(value)
  if (!line.success) return { kind: 'damaged' }
  switch (line.data.type) {
    case 'request': {
      const envelope = RequestEnvelope.safeParse(value)
      return envelope.success ? { kind: 'request', envelope: envelope.data } : { kind: 'damaged' }
    }
    case 'request-end': {
      const end = RequestEnd.safeParse(value)
      return end.success ? { kind: 'end', end: end.data } : { kind: 'damaged' }
    }
    default:
      return { kind: 'unknown' }
  }
}
