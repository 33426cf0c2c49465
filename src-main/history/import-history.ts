// Owns import: a file of ours or of another agent becomes the history of a new, empty workspace.
import { err, type Result } from '@common/result'
import { workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem, OPEN_READ } from '../files/file-system'
import { openAttachments } from './attachments'
import type { HistoryError } from './history-error'
import type { HistoryStore } from './history-store'
import type { ImportSummary } from './import-windows'
import { planPiImport } from './import-pi'
import { planTidemarkImport } from './import-tidemark'
import { openSpill } from './spill'

export type ImportFormat = 'tidemark' | 'pi'

export interface ImportRequest {
  /** Of a workspace without rows. */
  readonly store: HistoryStore
  readonly workspaceDir: string
  readonly format: ImportFormat
  /** The file to read. */
  readonly path: string
  newId(): string
}

/** All of the file's rows are in the history, or none; pictures and long results are kept beside it. */
export async function importHistory(request: ImportRequest): Promise<Result<ImportSummary, HistoryError>> {
  const { store, workspaceDir, format, path, newId } = request
  try {
    nodeFileSystem.close(nodeFileSystem.open(path, OPEN_READ))
  } catch (cause) {
    return err(fileErrorOf(cause, 'read the file to import', path))
  }
  const paths = workspacePathsOf(workspaceDir)
  const keep = { attachments: openAttachments(paths.attachments), spill: openSpill(paths.spill), newId }
  return store.importRows(() =>
    format === 'tidemark' ? planTidemarkImport(nodeFileSystem, path) : planPiImport(nodeFileSystem, path, keep)
  )
}
