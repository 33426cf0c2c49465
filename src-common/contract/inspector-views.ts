// Owns how requests that were sent look to a person (V-3): a list of them, what one held and what not, and what every
// window cost. Lists are paged, and no text is longer than MAX_INSPECTED_TEXT_CHARS.
import { z } from 'zod'

/** Tokens of one request or of many; `fresh` is input that no cache held, `written` what the provider put into it. */
const TokenFigures = z.object({ fresh: z.number(), cached: z.number(), written: z.number(), output: z.number() })

export const InspectedRequest = z.object({
  requestSequence: z.number(),
  /** `turn`, `compaction`, or a kind of a newer version. */
  kind: z.string(),
  /** 0, then 1 for the first retry of the same request. */
  attempt: z.number(),
  /** PROVIDER_ID:MODEL_ID */
  model: z.string(),
  windowId: z.string(),
  atMs: z.number(),
  /** `unknown`: it is under way, or the app ended before it did. */
  outcome: z.enum(['answered', 'failed', 'interrupted', 'unknown']),
  /** Kind of the provider's failure. */
  failure: z.string().nullable(),
  messages: z.number(),
  usage: TokenFigures.nullable(),
  /** Input that came from the provider's cache, 0 to 1; null without usage. */
  hitShare: z.number().nullable(),
  /** Bytes of canonical JSON that are as in the request before, from the beginning on; null where it is not known. */
  prefix: z.object({ stableBytes: z.number(), totalBytes: z.number() }).nullable(),
  /** What changed first against the request before, in a sentence; null where nothing did. */
  brokenBy: z.string().nullable(),
  /** Null where the price or the usage is not known. */
  costUsd: z.number().nullable()
})
export type InspectedRequest = z.infer<typeof InspectedRequest>

export const InspectedPage = z.object({
  /** Newest first. */
  requests: z.array(InspectedRequest),
  /** For the next page; null at the first request. */
  before: z.number().nullable(),
  /** Of all that fit. */
  total: z.number(),
  /** Lines of the log that cannot be read. */
  damagedLines: z.number()
})
export type InspectedPage = z.infer<typeof InspectedPage>

/** A piece of a request: `index` counts tools, or messages behind the system text. */
export const InspectedPart = z.object({
  part: z.enum(['system', 'memories', 'notes', 'tool', 'message']),
  index: z.number().int().min(0)
})
export type InspectedPart = z.infer<typeof InspectedPart>

export const InspectedSection = z.enum(['system', 'memories', 'notes', 'tools', 'messages', 'toolResults', 'files'])

export const InspectedPiece = InspectedPart.extend({
  /** `user`, `assistant` or `tool` of a message; the name of a tool. */
  label: z.string(),
  /** First row that it was made from; null for none. */
  rowId: z.string().nullable(),
  /** How many rows it was made from. */
  rows: z.number(),
  tokens: z.number().nullable(),
  /** The beginning of its text, on one line. */
  preview: z.string(),
  /** It is not in the request before. */
  isNew: z.boolean()
})
export type InspectedPiece = z.infer<typeof InspectedPiece>

export const InspectedContent = z.object({
  request: InspectedRequest,
  /** Sequence of the request before it; null for the first. */
  previousSequence: z.number().nullable(),
  /** What was sent was built again, byte for byte; else why not, in a sentence. */
  proof: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('identical') }),
    z.object({ kind: z.literal('differs'), message: z.string() })
  ]),
  /** Tokens by section; null where they cannot be counted. */
  sections: z.record(InspectedSection, z.number()).nullable(),
  /** The model's own tokenizer is not public; a stand-in counted. */
  estimated: z.boolean(),
  /** System text, memories, notes and tools, in the order in which they are sent; empty ones are left out. */
  opening: z.array(InspectedPiece),
  messages: z.array(InspectedPiece),
  /** Index of the next message; null when this page holds the last. */
  nextMessage: z.number().nullable(),
  /** What of the history the model did not see, and why. */
  leftOut: z.array(z.object({ what: z.string(), why: z.string(), rowId: z.string().nullable() })),
  difference: z
    .object({
      /** Messages that both begin with. */
      shared: z.number(),
      /** Messages of this request alone. */
      added: z.number(),
      /** Messages of the request before alone. */
      removed: z.number(),
      /** What changed first, in a sentence; null where this request only adds. */
      first: z.string().nullable(),
      /** Of what changed first, as a unified diff; empty where there is no text to compare. */
      diff: z.string()
    })
    .nullable()
})
export type InspectedContent = z.infer<typeof InspectedContent>

export const InspectedText = z.object({
  text: z.string(),
  /** In UTF-16 units; null at the end. */
  nextOffset: z.number().nullable(),
  totalChars: z.number()
})
export type InspectedText = z.infer<typeof InspectedText>

/** What some requests took; the cost is that which the history notes of their answers. */
export const LedgerLine = TokenFigures.extend({
  /** Answered ones. */
  requests: z.number(),
  costUsd: z.number(),
  /** Requests whose cost is not known; it is missing in `costUsd`. */
  unpriced: z.number()
})
export type LedgerLine = z.infer<typeof LedgerLine>

export const LedgerView = z.object({
  /** Oldest first. */
  windows: z.array(
    LedgerLine.extend({
      windowId: z.string(),
      /** From 1, oldest first. */
      number: z.number(),
      models: z.array(LedgerLine.extend({ model: z.string() })),
      /**
       * Its input by section, divided by the bytes of what its requests held: the sum is fresh, cached and written
       * input. Memories and notes are in `system`. Null where the log of requests does not tell.
       */
      sections: z
        .object({ system: z.number(), tools: z.number(), messages: z.number(), toolResults: z.number() })
        .nullable()
    })
  ),
  /** Windows before those, together; null where all are listed. */
  older: LedgerLine.extend({ windows: z.number() }).nullable(),
  /** Rows that edits cut: what was spent was spent. */
  cut: LedgerLine,
  /** Rows of the conversation that this one is a copy of, which paid for them; not in `total`. */
  copied: LedgerLine,
  /** All windows and the cut rows. */
  total: LedgerLine,
  /** What the workspace says that it cost. */
  workspaceUsd: z.number()
})
export type LedgerView = z.infer<typeof LedgerView>
