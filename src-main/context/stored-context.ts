// Owns how a compaction's stored context enters a request (K-1): one user row right behind its boundary, in the bytes
// in which it was rendered, so that the prefix of the window never changes. It is no row of the history (K-2). Pure.
import { rowKindOf } from '@common/rows/row-kinds'
import type { PostCompactionContext, Row } from '@common/rows/row-schema'

/** The same context gives the same row, since the conversion remembers by its parts. */
const inserted = new WeakMap<PostCompactionContext, Row>()

/**
 * The rows with each stored context behind its summary. `atRequest` is the sequence of a request that is built again:
 * one before the mark had the context still (K-4). Without it the next request is meant.
 */
export function withStoredContext(rows: readonly Row[], atRequest?: number): Row[] {
  return rows.flatMap((row) => {
    const context = storedContextOf(row)
    return context === null || isOmitted(context, atRequest) ? [row] : [row, rowOf(row, context)]
  })
}

/** A window whose next request leaves its context out. */
export interface WithoutContext {
  readonly rows: Row[]
  /** The boundary with its mark, which stands among them. */
  readonly boundary: Row
  readonly context: PostCompactionContext
}

/** These rows as requests from the sequence `fromRequest` on get them; null where they carry no context. */
export function withoutStoredContext(rows: readonly Row[], fromRequest: number): WithoutContext | null {
  const index = rows.findLastIndex((row) => storedContextOf(row) !== null)
  const row = rows[index]
  const context = row === undefined ? null : storedContextOf(row)
  if (row === undefined || context === null || isOmitted(context)) return null
  const boundary = markedRow(row, context, fromRequest)
  return { rows: rows.with(index, boundary), boundary, context }
}

/** The mark, and the boundary's figure without what is left out: as it is sent from now on. */
function markedRow(row: Row, context: PostCompactionContext, omittedFromRequest: number): Row {
  const { contextUsage } = row.metadata
  const inputTokens = Math.max(0, (contextUsage?.inputTokens ?? 0) - context.tokens)
  return {
    ...row,
    metadata: {
      ...row.metadata,
      ...(contextUsage === undefined ? {} : { contextUsage: { ...contextUsage, inputTokens } }),
      postCompactionContext: { ...context, omittedFromRequest }
    }
  }
}

/** The context that this row carries; null for none. */
export function storedContextOf(row: Row): PostCompactionContext | null {
  return rowKindOf(row) === 'compaction-summary' ? (row.metadata.postCompactionContext ?? null) : null
}

/** True where the context is left out of this request; of the next one without `atRequest`. */
export function isOmitted({ omittedFromRequest }: PostCompactionContext, atRequest?: number): boolean {
  return omittedFromRequest !== undefined && (atRequest === undefined || atRequest >= omittedFromRequest)
}

function rowOf(boundary: Row, context: PostCompactionContext): Row {
  const known = inserted.get(context)
  if (known !== undefined) return known
  const row: Row = {
    id: `${boundary.id}:context`,
    role: 'user',
    parts: [{ type: 'text', text: context.text }],
    metadata: { synthetic: true, machine: { type: 'prelude' } }
  }
  inserted.set(context, row)
  return row
}
