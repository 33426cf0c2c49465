// Owns the row that a compaction leaves behind: the summary, what is carried beside it, and their figures (K-3). Pure.
import { NO_USAGE } from '@common/budget/usage'
import { MAX_LINE_BYTES } from '@common/constants'
import type { NewRow, PostCompactionContext, RowMetadata } from '@common/rows/row-schema'
import { rowBytes } from '@common/rows/split-row'

/** Room for what the history adds to a row as it is stored: sequence and time. */
const STORED_FIELDS_BYTES = 1_024

export interface Carried {
  readonly context: PostCompactionContext | null
  readonly compaction: NonNullable<RowMetadata['compaction']>
}

/**
 * The boundary of the new window. Where summary and context do not fit into one line of the history, the context stays
 * behind, its plan with it, and is not counted: a summary is never cut for it. Null where not even the summary fits.
 */
export function boundaryRow(summary: NewRow, { context, compaction }: Carried): NewRow | null {
  const rowWith = (carried: PostCompactionContext | null): NewRow => {
    const inputTokens = compaction.afterTokens + (carried?.tokens ?? 0)
    const metadata = { ...asSummary(summary).metadata, compaction, contextUsage: { ...NO_USAGE, inputTokens } }
    return {
      ...summary,
      metadata: carried === null ? metadata : { ...metadata, postCompactionContext: carried }
    }
  }
  const whole = rowWith(context)
  if (fitsLine(whole)) return whole
  const alone = rowWith(null)
  return fitsLine(alone) ? alone : null
}

/** The answer as the summary that begins a window. */
export function asSummary<Summary extends NewRow>(row: Summary): Summary {
  return { ...row, metadata: { ...row.metadata, contextBoundaryKind: 'compaction' } }
}

function fitsLine(row: NewRow): boolean {
  return rowBytes(row) + STORED_FIELDS_BYTES <= MAX_LINE_BYTES
}
