// Owns what an import tells the workspace's file: how many rows, what they cost, and a title.
import { isKnownPart, readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { usesOf } from '@common/rows/row-kinds'
import type { HistoryStore } from '../history/history-store'
import { titleOf } from './input-row'
import type { WorkspaceHandle } from './workspace-handle'

/** Reads the imported history once, with bounded memory, and writes the workspace's file. */
export async function adoptImport(store: HistoryStore, workspace: WorkspaceHandle): Promise<void> {
  let title = workspace.file.title
  workspace.forgetFigures()
  for await (const batch of store.exportBatches()) {
    for (const line of batch.lines) {
      const row = readRow(JSON.parse(line))
      if (row === null) continue
      workspace.countRow(row)
      if (title === '' && usesOf(row).startsTurn) title = titleOf({ text: textOf(row), attachments: [] })
    }
  }
  await workspace.update({ title })
}

function textOf(row: Row): string {
  return row.parts.map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}
