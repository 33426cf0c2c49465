// Owns short ways to import and export in a test.
import { writeFileSync } from 'node:fs'
import type { Result } from '@common/result'
import { exportDocument, type ExportFormat, type ExportSummary } from '../export-document'
import type { HistoryError } from '../history-error'
import type { HistoryStore } from '../history-store'
import { importHistory, type ImportFormat } from '../import-history'
import type { ImportSummary } from '../import-windows'
import { tempWorkspace, type TempWorkspace } from './temp-workspace'

export async function exported(
  store: HistoryStore,
  format: ExportFormat
): Promise<{ text: string; summary: ExportSummary }> {
  const document = exportDocument(store, { format, title: 'A title' })
  let text = ''
  for (;;) {
    const next = await document.next()
    if (next.done === true) return { text, summary: next.value }
    text += next.value
  }
}

export function importFile(
  store: HistoryStore,
  workspace: TempWorkspace,
  path: string,
  format: ImportFormat = 'tidemark'
): Promise<Result<ImportSummary, HistoryError>> {
  let ids = 0
  return importHistory({ store, workspaceDir: workspace.dir, format, path, newId: () => `new-${ids++}` })
}

export async function importText(
  text: string
): Promise<{ workspace: TempWorkspace; store: HistoryStore; outcome: unknown }> {
  const workspace = tempWorkspace()
  const path = workspace.path('import.jsonl')
  writeFileSync(path, text)
  const store = await workspace.open()
  const outcome = await importFile(store, workspace, path)
  return { workspace, store, outcome }
}
