// Owns what an import tells the workspace's file: how many rows, what they cost, and a title.
import { isKnownPart, readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { usesOf } from '@common/rows/row-kinds'
import type { HistoryStore } from '../history/history-store'
import { titleOf } from './input-row'
import type { WorkspaceHandle } from './workspace-handle'

/** Reads the imported history once, with bounded memory, and writes the workspace's file. */
export async function adoptImport(store: HistoryStore, workspace: WorkspaceHandle): Promise<void> {
  let first = ''
  let said = ''
  workspace.forgetFigures()
  for await (const batch of store.exportBatches()) {
    for (const line of batch.lines) {
      const row = readRow(JSON.parse(line))
      if (row === null) continue
      workspace.countRow(row)
      if (said !== '' || !usesOf(row).startsTurn) continue
      const text = textOf(row)
      if (first === '') first = text
      if (!isCommand(text)) said = text
    }
  }
  const text = said === '' ? first : said
  const { title } = workspace.file
  await workspace.update({ title: title === '' && text !== '' ? titleOf({ text, attachments: [] }) : title })
}

/** A command of the app that it came from, such as `/mode plan`: no words to an agent. A path has a second slash. */
function isCommand(text: string): boolean {
  return /^\/[a-z][\w:-]*(?:[ \t]+[^\n]{0,60})?$/i.test(text.trim())
}

function textOf(row: Row): string {
  return row.parts.map((part) => (isKnownPart(part) && part.type === 'text' ? part.text : '')).join('')
}
