// Owns what the to-do list of a workspace was when these rows were the newest: an edit takes the list back with the
// rows that wrote it, down to the list that the window's compaction carried into it (K-1). Pure.
import { z } from 'zod'
import { rowKindOf } from '@common/rows/row-kinds'
import { toolPartsOf, type Row } from '@common/rows/row-schema'
import { TodoItem, TOOL_CONTRACTS } from '@common/tools/tool-contracts'

/** Null where these rows do not tell: their window began with a boundary that carried no list. */
export function todoOfRows(rows: readonly Row[]): TodoItem[] | null {
  for (const row of rows.toReversed()) {
    for (const call of toolPartsOf(row).toReversed()) {
      if (call.toolName !== 'todo' || call.state !== 'output-available') continue
      const input = TOOL_CONTRACTS.todo.input.safeParse(call.input)
      if (input.success) return input.data.items
    }
    if (rowKindOf(row) === 'compaction-summary') return carriedTodo(row)
  }
  const [first] = rows
  return first !== undefined && rowKindOf(first) === 'context-window-rollover' ? null : []
}

function carriedTodo({ metadata }: Row): TodoItem[] | null {
  const todo = z.array(TodoItem).safeParse(metadata.postCompactionContext?.['todo'])
  return todo.success ? todo.data : null
}
