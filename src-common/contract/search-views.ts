// Owns how a person's search through past windows looks from outside (S-9), and the page that a hit is shown on.
import { z } from 'zod'
import { HistoryHit } from '../tools/session-history-contract'
import { HistoryPage } from './views'

/** A hit as agents get it, and where it is for a person: which conversation, which row, which units of the snippet. */
export const PersonHit = HistoryHit.extend({
  workspaceId: z.string(),
  title: z.string(),
  rowId: z.string(),
  /** Of its window, from 1, oldest first. */
  windowNumber: z.number(),
  /** In UTF-16 units of `snippet`. */
  matchStart: z.number(),
  matchLength: z.number()
})
export type PersonHit = z.infer<typeof PersonHit>

/** A memory, or the notes, in which the text stands. */
export const MemoryHit = z.object({
  /** A workspace that sees it. */
  workspaceId: z.string(),
  /** `/memories/SCOPE/…` */
  path: z.string(),
  snippet: z.string(),
  matchStart: z.number(),
  matchLength: z.number()
})
export type MemoryHit = z.infer<typeof MemoryHit>

export const SearchPage = z.object({
  /** Newest first within a workspace; hits of one window stand together. */
  items: z.array(PersonHit),
  /** On the first page only. */
  memories: z.array(MemoryHit),
  /** Null when everything was searched; else there is more, also where a page holds no hit. */
  cursor: z.string().nullable(),
  exhausted: z.boolean(),
  /** A sentence for each conversation that could not be read; the others were searched all the same. */
  problems: z.array(z.string()),
  /** Rows over the line limit, which nobody searched. */
  skipped_oversized_rows: z.number()
})
export type SearchPage = z.infer<typeof SearchPage>

/** A page somewhere in the history: it may have older and newer rows beside it. */
export const HistorySpan = HistoryPage.extend({
  /** For `workspace.pageAfter`; null when it ends with the newest row. */
  after: z.string().nullable()
})
export type HistorySpan = z.infer<typeof HistorySpan>
