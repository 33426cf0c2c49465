// Owns what may never be wrong with stored rows, whatever happened to the session that wrote them.
import { toolPartsOf } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'

/** In words; empty for a consistent history. `rows` are all rows, oldest first, as they are on disk. */
export function historyProblemsOf(rows: readonly Row[]): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  let last = 0
  for (const row of rows) {
    if (ids.has(row.id)) problems.push(`row ${row.id} is there twice`)
    ids.add(row.id)
    const sequence = row.metadata.historySequence ?? 0
    if (sequence <= last) problems.push(`row ${row.id} has sequence ${sequence} after ${last}`)
    last = sequence
    for (const call of toolPartsOf(row))
      if (call.state === 'input-available') problems.push(`call ${call.toolCallId} of row ${row.id} has no result`)
  }
  return problems
}
