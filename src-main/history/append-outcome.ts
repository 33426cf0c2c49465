// Owns what can come of a write that failed: nothing of it is there, all of it, or a part.

export type AppendOutcome =
  | { readonly kind: 'durable' }
  /** The file is as it was. */
  | { readonly kind: 'undone'; readonly cause: unknown }
  /** What was written could not be removed, but it is the whole batch: it counts. */
  | { readonly kind: 'accepted_after_failure'; readonly cause: unknown }
  /** Bytes `[from, to)` are a part of the batch; they are cut away before anything else is appended. */
  | { readonly kind: 'part_left'; readonly cause: unknown; readonly from: number; readonly to: number }
  /** Not even looking was possible. */
  | { readonly kind: 'unknown'; readonly cause: unknown }
