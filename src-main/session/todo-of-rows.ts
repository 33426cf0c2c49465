// Owns what the to-do list of a workspace was when these rows were the newest: an edit takes the list back with the
// rows that wrote it. Pure.
import { toolPartsOf, type Row } from '@common/rows/row-schema'
import { TOOL_CONTRACTS, type TodoItem } from '@common/tools/tool-contracts'

export function todoOfRows(rows: readonly Row[]): TodoItem[] {
  for (const row of rows.toReversed()) {
    for (const call of toolPartsOf(row).toReversed()) {
      if (call.toolName !== 'todo' || call.state !== 'output-available') continue
      const input = TOOL_CONTRACTS.todo.input.safeParse(call.input)
      if (input.success) return input.data.items
    }
  }
  return []
}
