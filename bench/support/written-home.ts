// Owns homes with finished conversations, written as the app itself would have left them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Row } from '@common/rows/row-schema'
import { workspacePathsOf } from '../../src-main/files/app-paths'

export interface WrittenWorkspace {
  readonly id: string
  readonly title: string
  /** Newest first in the sidebar, and the newest is the one that a start shows. */
  readonly updatedAtMs: number
  readonly rows?: number
  readonly model?: string
  readonly approvalMode?: 'ask' | 'auto'
}

export interface WrittenHome {
  readonly home: string
  readonly project: string
  /** Address of a scripted provider, named `scripted`. */
  readonly providerUrl?: string
}

/** The model of a home with a provider. */
export const SCRIPTED_MODEL = 'scripted:test-model'

const PROJECT_ID = 'p-bench'

/** Writes config.json, and providers.json where there is a provider. */
export function writeHome({ home, project, providerUrl }: WrittenHome): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const entry = { id: PROJECT_ID, path: project, name: basename(project), trusted: true, addedAtMs: 1 }
  const model = providerUrl === undefined ? {} : { defaultModel: SCRIPTED_MODEL }
  writeFileSync(join(home, 'config.json'), JSON.stringify({ projects: [entry], approvalMode: 'auto', ...model }))
  if (providerUrl === undefined) return
  const models = [{ id: 'test-model', contextLimit: 1_000_000, maxOutputTokens: 64_000 }]
  const provider = { id: 'scripted', kind: 'anthropic', baseUrl: providerUrl, apiKey: 'sk-scripted', models }
  writeFileSync(join(home, 'providers.json'), JSON.stringify({ providers: [provider] }))
}

/** Writes workspace.json and returns the workspace's folder; its windows are the caller's. */
export function writeWorkspace({ home, project }: WrittenHome, workspace: WrittenWorkspace): string {
  const paths = workspacePathsOf(join(home, 'workspaces', workspace.id))
  mkdirSync(paths.windows, { recursive: true, mode: 0o700 })
  const about = { ...workspace, projectId: PROJECT_ID, projectPath: project, createdAtMs: 1 }
  writeFileSync(paths.workspace, JSON.stringify(about))
  return paths.root
}

/** Writes rows as window files; a row with a boundary kind begins the next window. */
export function writeRows(workspaceDir: string, rows: readonly Row[]): { readonly bytes: number } {
  const { windows } = workspacePathsOf(workspaceDir)
  let [name, lines, bytes] = ['w-0', [] as string[], 0]
  const close = (): void => {
    const text = lines.join('')
    bytes += Buffer.byteLength(text)
    writeFileSync(join(windows, `${name}.jsonl`), text, { mode: 0o600 })
    lines = []
  }
  for (const row of rows) {
    if (row.metadata.contextBoundaryKind !== undefined) {
      close()
      name = `w-${row.metadata.historySequence}`
    }
    lines.push(`${JSON.stringify(row)}\n`)
  }
  close()
  return { bytes }
}
