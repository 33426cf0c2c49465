// Owns which workspaces there are and which are open: one session each, opened once however many ask.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestFailure } from '@common/contract/bridge'
import type { WorkspaceView } from '@common/contract/views'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { PRIVATE_FOLDER_MODE, workspacePathsOf } from '../files/app-paths'
import { isNotFound } from '../files/file-error'
import { AgentSession } from './agent-session'
import { isFolderReadable } from './folder-readable'
import { type ForkPoint, forkWorkspace } from './fork-workspace'
import { openSession, watchWindows } from './open-session'
import type { SessionDeps } from './session-deps'
import { readWorkspaceFile, recoveredWorkspace, WorkspaceFile, writeWorkspaceFile } from './workspace-file'
import { workspaceViewOf } from './workspace-view'

/** Ids become folder names: nothing else may. */
const WORKSPACE_ID = /^[a-z0-9][a-z0-9-]{0,99}$/

export interface NewWorkspace {
  readonly projectId: string
  readonly projectPath: string
  readonly model: string
  readonly agentId: string
}

interface OpenEntry {
  readonly session: AgentSession
  stopWatching(): void
}

export class SessionRegistry {
  readonly #deps: SessionDeps
  readonly #open = new Map<string, Promise<Result<OpenEntry, string>>>()
  /** Being deleted: nobody opens it again under the move of its folder. */
  readonly #leaving = new Set<string>()
  #isClosed = false

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  /** Every workspace, newest first; a damaged file is listed too, so that nothing seems lost. */
  async list(): Promise<WorkspaceView[]> {
    const views = await Promise.all((await this.#ids()).map((id) => this.view(id)))
    return views.filter((view) => view !== null).toSorted((a, b) => b.updatedAtMs - a.updatedAtMs)
  }

  /** One workspace as it looks from outside; null when there is none. */
  async view(workspaceId: string): Promise<WorkspaceView | null> {
    const open = await this.#open.get(workspaceId)
    if (open?.ok === true) return open.value.session.view
    if (!WORKSPACE_ID.test(workspaceId)) return null
    const paths = workspacePathsOf(this.#dirOf(workspaceId))
    const read = (await readWorkspaceFile(paths.workspace, workspaceId)) ?? recoveredWorkspace(paths, workspaceId)
    if (read === null) return null
    const projectReadable = isFolderReadable(read.file.projectPath)
    return workspaceViewOf(read.file, { phase: 'idle', waiting: false, projectReadable })
  }

  async create(wanted: NewWorkspace): Promise<Result<WorkspaceView, string>> {
    const nowMs = this.#deps.clock.now()
    const id = this.#newId()
    const { approvalMode, thinkingLevel } = this.#deps.settings()
    const file = WorkspaceFile.parse({
      ...wanted,
      id,
      approvalMode,
      thinkingLevel,
      createdAtMs: nowMs,
      updatedAtMs: nowMs
    })
    const dir = this.#dirOf(id)
    await mkdir(dir, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    const written = await writeWorkspaceFile(workspacePathsOf(dir).workspace, file)
    if (!written.ok) return written
    const view = workspaceViewOf(file, {
      phase: 'idle',
      waiting: false,
      projectReadable: isFolderReadable(file.projectPath)
    })
    this.#deps.onView(view)
    return ok(view)
  }

  /** A new workspace with this one's history up to a row (H-10); this one goes on undisturbed. */
  async fork(source: AgentSession, point: ForkPoint): Promise<Result<WorkspaceView, RequestFailure>> {
    const forked = await forkWorkspace(this.#deps, source, { ...point, id: this.#newId() })
    if (!forked.ok) return forked
    const view = workspaceViewOf(forked.value, {
      phase: 'idle',
      waiting: false,
      projectReadable: isFolderReadable(forked.value.projectPath)
    })
    this.#deps.onView(view)
    return ok(view)
  }

  /** The session of a workspace; opens and recovers it the first time. */
  async open(workspaceId: string): Promise<Result<AgentSession, string>> {
    if (!WORKSPACE_ID.test(workspaceId)) return err(`There is no workspace “${workspaceId}”.`)
    if (this.#isClosed) return err('Tidemark is closing. Open it again to go on.')
    if (this.#leaving.has(workspaceId)) return err('This workspace is being deleted.')
    const known = this.#open.get(workspaceId) ?? this.#openEntry(workspaceId)
    this.#open.set(workspaceId, known)
    try {
      const opened = await known
      if (opened.ok) return ok(opened.value.session)
      this.#open.delete(workspaceId)
      return opened
    } catch (bug) {
      // The next one who asks tries again.
      this.#open.delete(workspaceId)
      throw bug
    }
  }

  /** The open session, or null: asking opens nothing. */
  async opened(workspaceId: string): Promise<AgentSession | null> {
    const open = await this.#open.get(workspaceId)
    return open?.ok === true ? open.value.session : null
  }

  /** Every session that is open. */
  async allOpened(): Promise<AgentSession[]> {
    const all = await Promise.all(this.#open.values())
    return all.flatMap((entry) => (entry.ok ? [entry.value.session] : []))
  }

  /** Ends the session and hands the folder to `moveToTrash`, or moves it into `trash/` of the home. */
  async remove(workspaceId: string, moveToTrash: (path: string) => Promise<void>): Promise<Result<void, string>> {
    this.#leaving.add(workspaceId)
    try {
      if ((await this.view(workspaceId)) === null) return err(`There is no workspace “${workspaceId}”.`)
      await this.#close(workspaceId)
      await this.#moveAway(workspaceId, moveToTrash)
      return ok(undefined)
    } finally {
      this.#leaving.delete(workspaceId)
    }
  }

  /** Ends every session; resolves when the last append is on disk. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#open.keys()].map((id) => this.#close(id)))
  }

  async #openEntry(workspaceId: string): Promise<Result<OpenEntry, string>> {
    const opened = await openSession(this.#deps, this.#dirOf(workspaceId))
    if (!opened.ok) return opened
    const session = new AgentSession(this.#deps, opened.value)
    const stopWatching = watchWindows(opened.value.paths.windows, () => void session.tellForeignRows())
    return ok({ session, stopWatching })
  }

  async #moveAway(workspaceId: string, moveToTrash: (path: string) => Promise<void>): Promise<void> {
    const dir = this.#dirOf(workspaceId)
    try {
      return await moveToTrash(dir)
    } catch (cause) {
      this.#deps.log.info('trash-not-available', { error: String(cause) })
    }
    const trash = join(this.#deps.paths.root, 'trash')
    await mkdir(trash, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    await rename(dir, join(trash, `${workspaceId}-${this.#deps.clock.now()}`))
  }

  async #close(workspaceId: string): Promise<void> {
    const open = await this.#open.get(workspaceId)
    this.#open.delete(workspaceId)
    if (open?.ok !== true) return
    open.value.stopWatching()
    await open.value.session.dispose()
  }

  async #ids(): Promise<string[]> {
    try {
      const entries = await readdir(this.#deps.paths.workspaces, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory() && WORKSPACE_ID.test(entry.name)).map((entry) => entry.name)
    } catch (cause) {
      if (isNotFound(cause)) return []
      throw cause
    }
  }

  /** Begins with the day, so that folders sort by age. */
  #newId(): string {
    return `${new Date(this.#deps.clock.now()).toISOString().slice(0, 10)}-${randomBytes(5).toString('hex')}`
  }

  #dirOf(workspaceId: string): string {
    return join(this.#deps.paths.workspaces, workspaceId)
  }
}
