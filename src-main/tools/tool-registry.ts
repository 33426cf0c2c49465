// Owns which tools there are, in a constant order (prompt cache, O-3), and ends what they left running.
import { TOOL_NAMES, type ToolName } from '@common/tools/tool-contracts'
import { askUser } from './ask-user'
import { createBash } from './bash'
import { fileEdit } from './file-edit'
import { fileRead } from './file-read'
import { fileWrite } from './file-write'
import { glob } from './glob'
import { grep } from './grep'
import { memory } from './memory'
import { createProcessKeeper } from './process-keeper'
import { sessionHistory } from './session-history'
import { todo } from './todo'
import type { ToolDefinition } from './tool-types'

export interface ToolRegistry {
  /** Our own in the order of the contracts, then the added ones in theirs. */
  readonly all: readonly ToolDefinition[]
  byName(name: string): ToolDefinition | null
  /** Ends every process that a tool started and that still runs; for the end of the app. */
  closeTools(): Promise<void>
}

/** `added` are tools that live in other layers; a name that is taken already is a bug. */
export function createToolRegistry(added: readonly ToolDefinition[] = []): ToolRegistry {
  const keeper = createProcessKeeper()
  const own: Record<ToolName, ToolDefinition> = {
    bash: createBash(keeper),
    file_read: fileRead,
    file_write: fileWrite,
    file_edit: fileEdit,
    glob,
    grep,
    todo,
    ask_user: askUser,
    memory,
    session_history: sessionHistory
  }
  const all = [...TOOL_NAMES.map((name) => own[name]), ...added]
  const names = new Map(all.map((tool) => [tool.name, tool]))
  if (names.size !== all.length) throw new Error('two tools have the same name')
  return { all, byName: (name) => names.get(name) ?? null, closeTools: () => keeper.close() }
}
