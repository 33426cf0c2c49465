// Owns the request for a summary of what is too long even from its newest answer on (C-1): results of tools are cut to
// their heads. The row that asks says so, in history, so that the request is built again the same way. Pure.
import { isKnownPart, type Row, type RowPart } from '@common/rows/row-schema'
import { COMPACTION_RESULT_CHARS } from '@common/constants'
import { cutText } from '../compaction/cut-text'

/** The row that asks, asking for results cut to their heads. */
export function askingForHeads(wish: Row): Row {
  const { machine } = wish.metadata
  if (machine === undefined) return wish
  return { ...wish, metadata: { ...wish.metadata, machine: { ...machine, cutsResults: true } } }
}

/** The rows of a request, with results as its own last row asks for them. */
export function withResultsAsAsked(rows: readonly Row[]): readonly Row[] {
  if (rows.at(-1)?.metadata.machine?.['cutsResults'] !== true) return rows
  return rows.map((row) => ({ ...row, parts: row.parts.map(cutResult) }))
}

function cutResult(part: RowPart): RowPart {
  if (!isKnownPart(part) || part.type !== 'dynamic-tool') return part
  const { output, errorText } = part
  return {
    ...part,
    ...(output === undefined ? {} : { output: headOf(output) }),
    ...(errorText === undefined ? {} : { errorText: cutText(errorText, COMPACTION_RESULT_CHARS, 'the error') })
  }
}

function headOf(output: unknown): unknown {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return text.length <= COMPACTION_RESULT_CHARS ? output : cutText(text, COMPACTION_RESULT_CHARS, 'the result')
}
