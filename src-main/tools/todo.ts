// Owns the todo tool: replaces the to-do list of the workspace.
import { ok } from '@common/result'
import { defineTool, touchesNothing } from './define-tool'

export const todo = defineTool('todo', {
  touch: (input) => Promise.resolve(ok(touchesNothing({ kind: 'other', text: `${input.items.length} items` }))),
  execute(input, run) {
    run.onTodo(input.items)
    return Promise.resolve({ kind: 'done', output: { items: input.items } })
  }
})
