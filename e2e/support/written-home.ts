// Writes a home with a finished conversation, as the app itself would have left it: for histories that are
// too long to be said in a test.
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Row } from '@common/rows/row-schema'
import { writeFiles } from './launch-app'

export interface WrittenConversation {
  readonly project: string
  readonly title: string
  /** In order; a row with a boundary kind begins the next window's file. */
  readonly rows: readonly Row[]
  /** For a home with more than one; the one that was changed last is opened. */
  readonly workspaceId?: string
  readonly updatedAtMs?: number
  /** The demo model where it is missing. */
  readonly model?: string
}

const WORKSPACE_ID = '2026-07-01-0123456789'

/** Writes config.json, workspace.json and the window files. */
export async function writeConversation(home: string, conversation: WrittenConversation): Promise<void> {
  const { project, title, rows, workspaceId = WORKSPACE_ID, updatedAtMs = 2, model } = conversation
  const entry = { id: 'p-written', path: project, name: basename(project), addedAtMs: 1 }
  const about = {
    id: workspaceId,
    title,
    projectId: entry.id,
    projectPath: project,
    rows: rows.length,
    updatedAtMs,
    model
  }
  await writeFiles(home, {
    'config.json': JSON.stringify({ projects: [entry] }),
    [`workspaces/${workspaceId}/workspace.json`]: JSON.stringify(about)
  })
  const windows = join(home, 'workspaces', workspaceId, 'windows')
  await mkdir(windows)
  const starts = rows.flatMap((row, index) => (row.metadata.contextBoundaryKind === undefined ? [] : [index]))
  for (const [window, start] of [0, ...starts].entries()) {
    const ofWindow = rows.slice(start, starts[window])
    const sequence = window === 0 ? 0 : (ofWindow[0]?.metadata.historySequence ?? 0)
    await writeFile(join(windows, `w-${sequence}.jsonl`), ofWindow.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
}
