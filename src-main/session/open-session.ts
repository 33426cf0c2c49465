// Owns opening a workspace's files for a session: history, queue, drafts, attachments, in that order.
// What a crash left is recovered here or told; nothing that did not parse is written over.
import { watch } from 'node:fs'
import { basename } from 'node:path'
import type { Notice, QueueEntry } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { RequestLog } from '../context/request-log'
import { workspacePathsOf } from '../files/app-paths'
import type { WorkspacePaths } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { acquireOwnerLock } from '../files/owner-lock'
import { openAttachments } from '../history/attachments'
import { openHistory } from '../history/history-store'
import type { HistoryStore } from '../history/history-store'
import { openSpill } from '../history/spill'
import { SeenFiles } from '../tools/seen-files'
import { Drafts } from './drafts'
import { isFolderReadable } from './folder-readable'
import { MessageQueue } from './message-queue'
import { removeLeftovers } from './remove-leftovers'
import type { OpenedSession, SessionDeps } from './session-deps'
import { WorkspaceHandle } from './workspace-handle'
import { readWorkspaceFile, recoveredWorkspace } from './workspace-file'
import type { ReadWorkspace } from './workspace-file'

/** Opens the workspace in this folder; the error is one sentence for a person. */
export async function openSession(deps: SessionDeps, workspaceDir: string): Promise<Result<OpenedSession, string>> {
  const paths = workspacePathsOf(workspaceDir)
  const id = basename(workspaceDir)
  const read = (await readWorkspaceFile(paths.workspace, id)) ?? recoveredWorkspace(paths, id)
  if (read === null) return err(`There is no workspace ${basename(workspaceDir)}. It may have been deleted.`)
  const history = await openHistory({
    workspaceDir,
    clock: deps.clock,
    log: deps.log,
    fs: deps.fs,
    durability: deps.settings().durability
  })
  if (!history.ok) return err(history.error.message)
  const store = history.value
  try {
    return ok(await openFiles(deps, { paths, read, store }))
  } catch (cause) {
    await store.close()
    return err(fileErrorOf(cause, 'open the workspace', workspaceDir).message)
  }
}

interface Found {
  readonly paths: WorkspacePaths
  readonly read: ReadWorkspace
  readonly store: HistoryStore
}

async function openFiles(deps: SessionDeps, { paths, read, store }: Found): Promise<OpenedSession> {
  const problems = read.damage === null ? [] : [read.damage]
  const workspace = new WorkspaceHandle(paths.workspace, read.file)
  problems.push(...(await recover(deps, { store, workspace, turnLock: paths.turnLock })))
  const listeners: ((entries: readonly QueueEntry[]) => void)[] = []
  await removeLeftovers(paths, deps.clock)
  const opened = await MessageQueue.open(paths.queue, {
    clock: deps.clock,
    isStored: (rowId) => isStored(store, rowId),
    onChange(entries) {
      for (const listener of listeners) listener(entries)
    }
  })
  if (opened.damage !== null) problems.push(opened.damage)
  const drafts = new Drafts(paths.drafts)
  return {
    paths,
    workspace,
    history: store,
    requests: new RequestLog({ paths, clock: deps.clock, redact: deps.redact }),
    queue: opened.queue,
    drafts,
    spill: openSpill(paths.spill),
    attachments: openAttachments(paths.attachments),
    seenFiles: new SeenFiles(),
    notices: problems.map((message) => noticeOf(deps, message)),
    onQueueChange: (listener) => void listeners.push(listener),
    projectReadable: () => isFolderReadable(workspace.file.projectPath),
    async close() {
      await workspace.settled()
      await drafts.settled()
      await store.close()
    }
  }
}

interface Recovery {
  readonly store: HistoryStore
  readonly workspace: WorkspaceHandle
  readonly turnLock: string
}

/** Commits what a crash left streaming, unless another process streams it this moment. Reads no window whole. */
async function recover(deps: SessionDeps, { store, workspace, turnLock }: Recovery): Promise<string[]> {
  const problems: string[] = []
  const lock = await acquireOwnerLock(turnLock, { waitMs: 0, clock: deps.clock })
  if (lock.ok) {
    const recovered = await store.recoverPartial()
    if (!recovered.ok) problems.push(recovered.error.message)
    else if (recovered.value.length > 0) {
      for (const row of recovered.value) workspace.countRow(row)
      const saved = await workspace.update({})
      if (!saved.ok) problems.push(saved.error)
    }
    lock.value.release()
  }
  return problems
}

async function isStored(store: HistoryStore, rowId: string): Promise<boolean> {
  const line = await store.rawLineOf({ id: rowId })
  return line.ok && line.value !== null
}

function noticeOf(deps: SessionDeps, message: string): Notice {
  return { id: deps.newId(), level: 'warning', message, atMs: deps.clock.now() }
}

/** Calls back, at most every 200 ms, when another process may have appended. */
export function watchWindows(windowsDir: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | null = null
  const watcher = watch(windowsDir, { persistent: false }, () => {
    timer ??= setTimeout(() => {
      timer = null
      onChange()
    }, 200)
  })
  watcher.on('error', () => watcher.close())
  return () => {
    if (timer !== null) clearTimeout(timer)
    watcher.close()
  }
}
