// Owns the requests about workspaces: list, open, page, change, export, attachments.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_IPC_STRING_BYTES, PAGE_ROWS } from '@common/constants'
import type { RequestFailure } from '@common/contract/bridge'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { attachmentUrl } from '../history/attachments'
import { pageLineOf } from '../history/page-line'
import { exportDocument } from '../history/export-document'
import type { AgentSession } from '../session/agent-session'
import { isFolderReadable } from '../session/folder-readable'
import { openProject } from '../session/projects'
import type { AppServices } from './app-services'
import { failure } from './dispatch'
import type { Handlers } from './dispatch'
import { readTextSlice } from './read-text-slice'
import { searchFiles } from './search-files'

/** A page of a spilled value: a screenful many times over, quick to ship. */
const SPILL_PAGE_BYTES = MAX_IPC_STRING_BYTES / 4

type WorkspaceRequests =
  | 'workspace.list'
  | 'workspace.create'
  | 'workspace.open'
  | 'workspace.close'
  | 'workspace.page'
  | 'workspace.update'
  | 'workspace.delete'
  | 'workspace.export'
  | 'draft.save'
  | 'row.raw'
  | 'attachment.add'
  | 'attachment.read'
  | 'spill.read'
  | 'files.search'
  | 'shell.reveal'

/** The session, or the failure that a handler answers. */
export async function sessionOf(
  services: AppServices,
  workspaceId: string
): Promise<Result<AgentSession, RequestFailure>> {
  const session = await services.sessions.open(workspaceId)
  return session.ok ? session : err(failure('not-found', session.error))
}

export function workspaceHandlers(services: AppServices): Pick<Handlers, WorkspaceRequests> {
  const { sessions, settings } = services
  /** Sessions whose events cross to the window. */
  const watched = new Map<string, () => void>()

  function watch(session: AgentSession): void {
    const { workspaceId } = session
    if (watched.has(workspaceId)) return
    const stop = session.events.subscribe(({ firstSequence, events }) =>
      services.publish({ channel: 'session', workspaceId, firstSequence, events: [...events] })
    )
    watched.set(workspaceId, stop)
    session.watched = true
  }

  function unwatch(workspaceId: string): void {
    watched.get(workspaceId)?.()
    watched.delete(workspaceId)
  }

  return {
    async 'workspace.list'({ archived }) {
      const workspaces = await sessions.list()
      return ok({ workspaces: workspaces.filter((workspace) => workspace.archived === archived) })
    },
    async 'workspace.create'({ projectId, model, agentId }) {
      const project = settings.settings().projects.find(({ id }) => id === projectId)
      if (project === undefined)
        return err(failure('not-found', 'That project is no longer in the list; open its folder again.'))
      const { defaultModel, defaultAgent } = settings.settings()
      const created = await sessions.create({
        projectId,
        projectPath: project.path,
        model: model ?? defaultModel,
        agentId: agentId ?? defaultAgent
      })
      return created.ok ? ok({ workspace: created.value }) : err(failure('io', created.error))
    },
    async 'workspace.open'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      watch(session.value)
      if (session.value.view.unread) await session.value.update({ unread: false })
      const snapshot = await session.value.snapshot()
      return snapshot.ok ? snapshot : err(failure('io', snapshot.error.message))
    },
    async 'workspace.close'({ workspaceId }) {
      unwatch(workspaceId)
      const session = await sessions.opened(workspaceId)
      if (session !== null) session.watched = false
      return ok({})
    },
    async 'workspace.page'({ workspaceId, before }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const page = await session.value.store.page({ before, maxRows: PAGE_ROWS, maxBytes: MAX_IPC_STRING_BYTES })
      if (!page.ok) return err(failure('io', page.error.message))
      return ok({ lines: page.value.lines, before: page.value.before, skippedLines: page.value.damage.total })
    },
    async 'workspace.update'({ workspaceId, projectPath, ...change }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const moved = await movedProject(services, projectPath)
      if (!moved.ok) return moved
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const saved = await session.value.update({ ...given, ...moved.value })
      return saved.ok ? ok({ workspace: session.value.view }) : err(failure('io', saved.error))
    },
    async 'workspace.delete'({ workspaceId }) {
      unwatch(workspaceId)
      const removed = await sessions.remove(workspaceId, services.shell.moveToTrash)
      if (!removed.ok) return err(failure('io', removed.error))
      services.publish({ channel: 'app', events: [{ type: 'workspace-removed', workspaceId }] })
      return ok({})
    },
    async 'workspace.export'({ workspaceId, format }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const extension = format === 'markdown' ? 'md' : 'jsonl'
      const file = await services.shell.pickSaveFile(`${fileNameOf(session.value.view.title)}.${extension}`)
      if (file === null) return ok({ file: null })
      const source = exportDocument(session.value.store, { format, title: session.value.view.title })
      await pipeline(Readable.from(source), createWriteStream(file, { mode: 0o600 }))
      return ok({ file })
    },
    async 'draft.save'({ workspaceId, text, attachments }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const saved = await session.value.drafts.save(text, attachments)
      return saved.ok ? ok({}) : err(failure('io', saved.error.message))
    },
    async 'row.raw'({ workspaceId, rowId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const line = await session.value.store.rawLineOf({ id: rowId })
      if (!line.ok) return err(failure('io', line.error.message))
      if (line.value === null) return err(failure('not-found', 'That row is no longer in the history.'))
      // What a compaction carries over stays in main here too (K-2).
      const shown = pageLineOf(Buffer.from(line.value), Number.POSITIVE_INFINITY)
      return ok({ json: shown.ok ? shown.text : line.value })
    },
    async 'attachment.add'({ workspaceId, filename, mediaType, bytes }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const { sha256 } = await session.value.attachments.put(bytes, mediaType)
      return ok({ attachment: { sha256, mediaType, filename, bytes: bytes.length } })
    },
    async 'attachment.read'({ workspaceId, sha256 }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const bytes = await session.value.attachments.read({ url: attachmentUrl(sha256) })
      return bytes === null ? err(failure('not-found', 'That attachment is no longer on disk.')) : ok({ bytes })
    },
    async 'spill.read'({ workspaceId, spillId, offset }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const path = session.value.spill.pathOf(spillId)
      if (path === null) return err(failure('not-found', 'That output is no longer on disk.'))
      return ok(await readTextSlice(path, offset, SPILL_PAGE_BYTES))
    },
    async 'files.search'({ workspaceId, query }) {
      const view = await sessions.view(workspaceId)
      if (view === null) return err(failure('not-found', 'That workspace is gone.'))
      return ok({ paths: await searchFiles(view.projectPath, query) })
    },
    async 'shell.reveal'({ workspaceId, path }) {
      const view = await sessions.view(workspaceId)
      if (view === null || !isFolderReadable(view.projectPath))
        return err(failure('not-found', 'That project folder is gone.'))
      services.shell.revealFile(path)
      return ok({})
    }
  }
}

/** The fields that point a workspace to another folder; nothing when none was asked for. */
async function movedProject(
  services: AppServices,
  path: string | undefined
): Promise<Result<{ projectId?: string; projectPath?: string }, RequestFailure>> {
  if (path === undefined) return ok({})
  const project = await openProject(services.settings, path, services.clock.now())
  return project.ok
    ? ok({ projectId: project.value.id, projectPath: project.value.path })
    : err(failure('io', project.error))
}

/** A title as a file's name on any system. */
function fileNameOf(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N} ._-]/gu, '-')
      .slice(0, 60)
      .trim() || 'conversation'
  )
}
