// Owns where every file of Tidemark lives (spec 00, "Files on disk"). Pure: it reads and creates nothing.
import { join } from 'node:path'

/** Folders are for their owner alone. */
export const PRIVATE_FOLDER_MODE = 0o700
/** Files are for their owner alone. */
export const PRIVATE_FILE_MODE = 0o600

export interface AppPaths {
  readonly root: string
  /** Secret of this installation; signs cursors. */
  readonly installKey: string
  readonly secrets: string
  /** Chromium's own data. */
  readonly electronData: string
  readonly config: string
  readonly providers: string
  readonly log: string
  readonly globalMemories: string
  readonly agents: string
  readonly hooks: string
  readonly skills: string
  readonly projects: string
  readonly workspaces: string
}

export interface WorkspacePaths {
  readonly root: string
  /** Title, project path, model, agent, timestamps, costs. */
  readonly workspace: string
  readonly windows: string
  readonly windowIndex: string
  readonly partial: string
  readonly receipt: string
  readonly queue: string
  readonly drafts: string
  readonly historyLock: string
  readonly turnLock: string
  readonly cutRows: string
  /** There while an edit is under way (H-10). */
  readonly editMarker: string
  readonly spill: string
  readonly attachments: string
  readonly requests: string
  readonly requestParts: string
  readonly compactionJournal: string
  readonly memories: string
}

/** `$TIDEMARK_HOME`, or `.tidemark` in the person's home folder. */
export function appRootOf(environment: Readonly<Record<string, string | undefined>>, homeFolder: string): string {
  const chosen = environment['TIDEMARK_HOME']
  return chosen === undefined || chosen === '' ? join(homeFolder, '.tidemark') : chosen
}

export function appPathsOf(root: string): AppPaths {
  return {
    root,
    installKey: join(root, 'install-key'),
    secrets: join(root, 'secrets.enc'),
    electronData: join(root, 'electron'),
    config: join(root, 'config.json'),
    providers: join(root, 'providers.json'),
    log: join(root, 'logs', 'tidemark.log'),
    globalMemories: join(root, 'memories', 'global'),
    agents: join(root, 'agents'),
    hooks: join(root, 'hooks'),
    skills: join(root, 'skills'),
    projects: join(root, 'projects'),
    workspaces: join(root, 'workspaces')
  }
}

/** Paths of one workspace; `root` is its folder (`<home>/workspaces/<workspaceId>`). */
export function workspacePathsOf(root: string): WorkspacePaths {
  return {
    root,
    workspace: join(root, 'workspace.json'),
    windows: join(root, 'windows'),
    windowIndex: join(root, 'windows.json'),
    partial: join(root, 'partial.json'),
    receipt: join(root, 'append-receipt.json'),
    queue: join(root, 'queue.json'),
    drafts: join(root, 'drafts.json'),
    historyLock: join(root, 'history.lock'),
    turnLock: join(root, 'turn.lock'),
    cutRows: join(root, 'cut-rows.jsonl'),
    editMarker: join(root, 'windows', 'edit.json'),
    spill: join(root, 'spill'),
    attachments: join(root, 'attachments'),
    requests: join(root, 'requests.jsonl'),
    requestParts: join(root, 'request-parts'),
    compactionJournal: join(root, 'compaction-journal.json'),
    memories: join(root, 'memories')
  }
}
