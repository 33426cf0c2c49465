// Owns which files the agent edited in a window, as the stored results of its calls tell (K-1). Pure.
import { type Row, type ToolPart, toolPartsOf } from '@common/rows/row-schema'
import { SeenFile } from '@common/rows/seen-file'
import { TOOL_CONTRACTS } from '@common/tools/tool-contracts'

export interface EditedFile {
  readonly path: string
  /** Lines, over all of its changes. */
  readonly added: number
  readonly removed: number
  /** Unified diffs as they were stored, the newest first. */
  readonly diffs: readonly string[]
  /** Its content before the first of them; null where no row tells. */
  readonly before: string | null
  /** As the newest of them left it; null for a file that is not followed (outside of the project). */
  readonly seen: SeenFile | null
}

/** The files that these rows changed, the one changed last first. */
export function editedFilesOf(windowRows: readonly Row[]): EditedFile[] {
  const files = new Map<string, EditedFile>()
  const contents = new Map<string, string>()
  for (const call of windowRows.flatMap(toolPartsOf)) {
    const seen = seenOf(call)
    const change = changeOf(call)
    if (change !== null) {
      const { path, diff, added, removed, isNew } = change
      const known = files.get(path)
      const before = seen?.before ?? (isNew ? 'none' : (contents.get(path) ?? null))
      // Set anew: the order is that of the last changes.
      files.delete(path)
      files.set(path, {
        path,
        added: (known?.added ?? 0) + added,
        removed: (known?.removed ?? 0) + removed,
        diffs: added + removed === 0 ? (known?.diffs ?? []) : [diff, ...(known?.diffs ?? [])],
        before: known === undefined ? before : known.before,
        seen
      })
    }
    if (seen !== null && seen.isPart !== true) contents.set(seen.path, seen.content)
  }
  return [...files.values()].filter(({ diffs }) => diffs.length > 0).toReversed()
}

interface StoredChange {
  readonly path: string
  readonly diff: string
  readonly added: number
  readonly removed: number
  /** There was no file before. */
  readonly isNew: boolean
}

function changeOf({ toolName, state, output }: ToolPart): StoredChange | null {
  if (state !== 'output-available') return null
  if (toolName === 'file_edit') {
    const edit = TOOL_CONTRACTS.file_edit.output.safeParse(output)
    return edit.success ? { ...edit.data, isNew: false } : null
  }
  if (toolName !== 'file_write') return null
  const write = TOOL_CONTRACTS.file_write.output.safeParse(output)
  return write.success ? { ...write.data, isNew: write.data.created } : null
}

function seenOf({ seen }: ToolPart): SeenFile | null {
  const parsed = SeenFile.safeParse(seen)
  return parsed.success ? parsed.data : null
}
