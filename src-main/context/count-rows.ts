// Owns what rows add to a request, in tokens: their messages alone, without system text and tools.
import { rowsForProvider } from '@common/rows/boundaries'
import type { Row } from '@common/rows/row-schema'
import { convertRows } from './convert-rows'
import type { TurnSettings } from './prepare-request'

/** Tokens of these rows' messages; null when they cannot be counted. */
export async function countRows(rows: readonly Row[], turn: TurnSettings): Promise<number | null> {
  if (rows.length === 0) return 0
  const count = await turn.countTokens(await convertRows(rowsForProvider(rows), turn), [])
  return count.kind === 'counted' ? count.tokens : null
}
