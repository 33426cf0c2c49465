// Owns the memory tool (Y-1): what an agent reads and keeps beyond this conversation window. It touches nothing of
// the project, so it never asks; whether it may write at all is the person's setting, read at each call.
import { MAX_TOOL_RESULT_BYTES, MEMORY_VIEW_MAX_ENTRIES } from '@common/constants'
import { MEMORY_SCOPES } from '@common/memory/memory-schema'
import { ok, type Result } from '@common/result'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import type { MemoryFailure } from '../memory/memory-failure'
import { MEMORY_ROOT, memoryPathOf } from '../memory/memory-path'
import type { MemoryStore } from '../memory/memory-store'
import { viewMemory, type MemoryFolder, type MemoryText } from '../memory/read-memory'
import { countAccess } from '../memory/use-memory'
import { createMemory, deleteMemory, editMemory, renameMemory } from '../memory/write-memory'
import { defineTool, touchesNothing } from './define-tool'
import { jsonBytes } from './json-bytes'
import { insertLines, replaceOnce, viewLines, type TextChange } from './memory-text'
import type { ToolOutcome } from './tool-types'

type Input = ToolInput<'memory'>
type Outcome = ToolOutcome<ToolOutput<'memory'>>

/** Kept free for the other fields of the result. */
const FIELDS_BYTES = 1_024

export const memory = defineTool('memory', {
  touch: (input) => {
    const path = [input.path ?? input.old_path, input.new_path].filter((part) => part != null).join(' → ')
    return Promise.resolve(ok(touchesNothing({ kind: 'other', text: `${input.command} ${path || MEMORY_ROOT}` })))
  },
  async execute(input, run) {
    const { access, store } = run.memory
    if (access === 'off')
      return { kind: 'denied', message: 'Memory is switched off: nothing can be read or kept there.' }
    if (input.command === 'view') return view(input, store)
    if (access === 'read-only')
      return {
        kind: 'denied',
        message: 'Memory is read-only: it can be viewed, but nothing can be written or changed.'
      }
    if (run.abortSignal.aborted) return { kind: 'interrupted', message: 'The memory was not changed.' }
    return write(input, store)
  }
})

async function view(input: Input, store: MemoryStore): Promise<Outcome> {
  const found = await viewMemory(store, input.path ?? MEMORY_ROOT)
  if (!found.ok) return failed(found.error)
  if (found.value.kind === 'folder') return { kind: 'done', output: folderOutput(found.value, store) }
  const output = fileOutput(found.value, input.view_range ?? null)
  if (!output.ok) return { kind: 'failed', message: output.error }
  await countAccess(store, found.value.path)
  return { kind: 'done', output: output.value }
}

function folderOutput({ path, memories }: MemoryFolder, store: MemoryStore): ToolOutput<'memory'> {
  const entries = memories.map((memory) => ({ path: memory.path, bytes: memory.bytes }))
  // A scope is named also while it is empty: it is where the next memory may go.
  const scopes = path === MEMORY_ROOT ? MEMORY_SCOPES.filter((scope) => store.folders[scope] !== null) : []
  return {
    kind: 'folder',
    path,
    ...(scopes.length === 0 ? {} : { scopes: scopes.map((scope) => memoryPathOf(scope, [])) }),
    entries: entries.slice(0, MEMORY_VIEW_MAX_ENTRIES),
    total: entries.length
  }
}

function fileOutput({ path, text }: MemoryText, range: readonly number[] | null): Result<ToolOutput<'memory'>, string> {
  const lines = viewLines(text, range, MAX_TOOL_RESULT_BYTES - FIELDS_BYTES - jsonBytes(path))
  if (!lines.ok) return lines
  const { content, firstLine, lastLine, totalLines } = lines.value
  const asked = range === null || range[1] === -1 ? totalLines : Math.min(range[1] ?? totalLines, totalLines)
  const note =
    totalLines === 0
      ? 'The file is empty.'
      : lastLine < asked
        ? `${asked - lastLine} more lines; go on with view_range [${lastLine + 1}, -1].`
        : null
  return ok({
    kind: 'file',
    path,
    content,
    first_line: firstLine,
    last_line: lastLine,
    total_lines: totalLines,
    ...(note === null ? {} : { note })
  })
}

async function write(input: Input, store: MemoryStore): Promise<Outcome> {
  const { command, path } = input
  if (command === 'rename') {
    if (input.old_path == null || input.new_path == null) return missingField(command, 'old_path and new_path')
    const renamed = await renameMemory(store, input.old_path, input.new_path)
    if (!renamed.ok) return failed(renamed.error)
    return { kind: 'done', output: { kind: 'renamed', path: renamed.value.path, new_path: renamed.value.newPath } }
  }
  if (path == null) return missingField(command, 'path')
  switch (command) {
    case 'view':
      return view(input, store)
    case 'create':
      return create(store, path, input.file_text)
    case 'str_replace': {
      const { old_str: oldText, new_str: newText } = input
      if (oldText == null || oldText === '') return missingField(command, 'old_str')
      return edit(store, path, (text) => replaceOnce(text, oldText, newText ?? '', path))
    }
    case 'insert': {
      const { insert_line: after, insert_text: text } = input
      if (after == null || text == null) return missingField(command, 'insert_line and insert_text')
      return edit(store, path, (present) => insertLines(present, after, text))
    }
    case 'delete': {
      const deleted = await deleteMemory(store, path)
      return deleted.ok
        ? { kind: 'done', output: { kind: 'deleted', path: deleted.value.path } }
        : failed(deleted.error)
    }
  }
}

async function create(store: MemoryStore, path: string, text: string | null | undefined): Promise<Outcome> {
  if (text == null) return missingField('create', 'file_text')
  // The workspace scope is this conversation's own; in the others a file may be what another conversation wrote.
  const replace = path.startsWith(`${memoryPathOf('workspace', [])}/`)
  const created = await createMemory(store, { path, text, replace })
  if (!created.ok) return failed(created.error)
  const { bytes, replacedKeptAt } = created.value
  const note = replacedKeptAt === null ? {} : { note: 'It replaced the file that was there.' }
  return { kind: 'done', output: { kind: 'written', path: created.value.path, bytes, ...note } }
}

async function edit(
  store: MemoryStore,
  path: string,
  change: (text: string) => Result<TextChange, string>
): Promise<Outcome> {
  let line = 1
  const edited = await editMemory(store, path, (text) => {
    const changed = change(text)
    if (!changed.ok) return changed
    line = changed.value.line
    return ok(changed.value.text)
  })
  if (!edited.ok) return failed(edited.error)
  await countAccess(store, edited.value.path)
  return { kind: 'done', output: { kind: 'written', path: edited.value.path, bytes: edited.value.bytes, line } }
}

function failed({ message }: MemoryFailure): Outcome {
  return { kind: 'failed', message }
}

function missingField(command: Input['command'], fields: string): Outcome {
  return { kind: 'failed', message: `${command} needs ${fields}.` }
}
