// Owns making a workspace out of another one's history up to a row (H-10). It is made beside its name and appears
// whole or not at all; the source is only read, also while it streams.
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestFailure } from '@common/contract/bridge'
import { MAX_TITLE_CHARS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { usesOf } from '@common/rows/row-kinds'
import { readRow, type Row } from '@common/rows/row-schema'
import { readPart, storePart } from '../context/request-parts'
import { workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { attachmentUrl, openAttachments } from '../history/attachments'
import type { RowReference } from '../history/find-row'
import { openHistory } from '../history/history-store'
import type { AgentSession } from './agent-session'
import { Drafts } from './drafts'
import { editStartOf } from './edit-start'
import { attachmentsOf, failureOf, textOf } from './session-edits'
import type { SessionDeps } from './session-deps'
import { todoOfRows } from './todo-of-rows'
import { type WorkspaceFile, writeWorkspaceFile } from './workspace-file'

export interface ForkPoint {
  /** Null takes the whole history. */
  readonly rowId: string | null
  readonly isInclusive: boolean
}

type Forked<T> = Promise<Result<T, RequestFailure>>

/** Answers the new workspace's file; its folder is there, and nothing else of it is open. */
export async function forkWorkspace(
  deps: SessionDeps,
  source: AgentSession,
  { id, rowId, isInclusive }: ForkPoint & { id: string }
): Forked<WorkspaceFile> {
  // A hidden name: no list shows a copy that is not finished.
  const making = join(deps.paths.workspaces, `.fork-${id}`)
  try {
    const file = await makeFork(deps, source, { id, rowId, isInclusive, making })
    if (!file.ok) {
      await rm(making, { recursive: true, force: true })
      return file
    }
    await rename(making, join(deps.paths.workspaces, id))
    await nodeFileSystem.syncFolder(deps.paths.workspaces)
    return file
  } catch (cause) {
    const failure = fileErrorOf(cause, 'fork this conversation', making)
    await rm(making, { recursive: true, force: true })
    return err({ kind: 'io', message: failure.message })
  }
}

async function makeFork(
  deps: SessionDeps,
  source: AgentSession,
  { id, rowId, isInclusive, making }: ForkPoint & { id: string; making: string }
): Forked<WorkspaceFile> {
  const upTo = rowId === null ? null : isInclusive ? { id: rowId } : await startOf(source, rowId)
  const forked = await source.store.forkTo({ targetDir: making, upTo, isInclusive })
  if (!forked.ok) return err(failureOf(forked.error))
  const rows = await rowsOf(deps, making)
  if (!rows.ok) return rows
  const nowMs = deps.clock.now()
  const file: WorkspaceFile = {
    ...source.file,
    id,
    title: forkTitle(source.file.title),
    archived: false,
    unread: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    rows: forked.value.rows,
    // The parent paid for the rows that are copied.
    costUsd: 0,
    costIncomplete: false,
    copiedUpTo: rows.value.highestSequence,
    todo: todoOfRows(rows.value.rows) ?? source.file.todo,
    frozenSystem: await frozenForFork(source, making, forked.value.windowId)
  }
  const written = await writeWorkspaceFile(workspacePathsOf(making).workspace, file)
  if (!written.ok) return err({ kind: 'io', message: written.error })
  if (rowId !== null && !isInclusive) await keepAsDraft(source, rowId, making)
  return ok(file)
}

/** A copy that stops before a message leaves its snapshots out too. */
async function startOf(source: AgentSession, rowId: string): Promise<RowReference> {
  const row = await rowOf(source, rowId)
  return row === null ? { id: rowId } : editStartOf(source.store, rowId, textOf(row))
}

async function rowOf(source: AgentSession, rowId: string): Promise<Row | null> {
  const line = await source.store.rawLineOf({ id: rowId })
  return line.ok && line.value !== null ? readRow(JSON.parse(line.value)) : null
}

interface CopiedRows {
  /** Of the copy's window in force, read as the workspace will read them. */
  readonly rows: Row[]
  readonly highestSequence: number
}

async function rowsOf({ clock, log }: SessionDeps, workspaceDir: string): Forked<CopiedRows> {
  const opened = await openHistory({ workspaceDir, clock, log })
  if (!opened.ok) return err(failureOf(opened.error))
  const window = await opened.value.activeWindow()
  const { highestSequence } = opened.value
  await opened.value.close()
  return window.ok ? ok({ rows: window.value.rows, highestSequence }) : err(failureOf(window.error))
}

/** The frozen texts of the window in force, where the copy goes on in that very window: the cache stays warm. */
async function frozenForFork(
  source: AgentSession,
  making: string,
  windowId: string
): Promise<WorkspaceFile['frozenSystem']> {
  const { frozenSystem } = source.file
  if (frozenSystem?.windowId !== windowId) return null
  const parts = { from: workspacePathsOf(source.folder).requestParts, to: workspacePathsOf(making).requestParts }
  const hashes = [frozenSystem.sha256, frozenSystem.memories?.sha256, frozenSystem.memories?.notes?.sha256]
  for (const sha256 of hashes) {
    if (sha256 === null || sha256 === undefined) continue
    const text = await readPart(parts.from, sha256)
    if (text === null || (await storePart(parts.to, text)) === null) return null
  }
  return frozenSystem
}

/** The person's message that the copy stops before is theirs to change and send there. */
async function keepAsDraft(source: AgentSession, rowId: string, making: string): Promise<void> {
  const row = await rowOf(source, rowId)
  if (row === null || !usesOf(row).editAnchor) return
  const paths = workspacePathsOf(making)
  const attachments = openAttachments(paths.attachments)
  for (const { sha256, mediaType } of attachmentsOf(row)) {
    const bytes = await source.attachments.read({ url: attachmentUrl(sha256) })
    if (bytes !== null) await attachments.put(bytes, mediaType)
  }
  await new Drafts(paths.drafts).save(textOf(row), attachmentsOf(row))
}

const SUFFIX = ' (fork)'

function forkTitle(title: string): string {
  if (title === '' || title.endsWith(SUFFIX)) return title
  return `${[...title].slice(0, MAX_TITLE_CHARS - SUFFIX.length).join('')}${SUFFIX}`
}
