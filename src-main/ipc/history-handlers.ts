// Owns the requests that edit a history, fork it, list its windows and verify them.
import type { RequestFailure } from '@common/contract/bridge'
import type { WindowView } from '@common/contract/window-views'
import { err, ok, type Result } from '@common/result'
import { describeDifference } from '../history/describe-difference'
import type { WindowListing } from '../history/window-index'
import { clearHistory, deleteRow, editRow, failureOf } from '../session/session-edits'
import { skillCommand, skillsOf } from '../session/skills-of'
import { SLASH_COMMANDS } from '../session/slash-commands'
import type { AppServices } from './app-services'
import { failure, type Handlers } from './dispatch'
import { sessionOf } from './workspace-handlers'

type HistoryRequests =
  | 'row.edit'
  | 'row.delete'
  | 'row.fork'
  | 'history.clear'
  | 'windows.list'
  | 'window.verify'
  | 'commands.list'

export function historyHandlers(services: AppServices): Pick<Handlers, HistoryRequests> {
  return {
    async 'row.edit'({ workspaceId, rowId, text, attachments, confirmed }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const edit = { rowId, text, attachments, isConfirmed: confirmed === true }
      return session.value.edit((surroundings) => editRow(surroundings, edit))
    },
    async 'row.delete'({ workspaceId, rowId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      return done(await session.value.edit((surroundings) => deleteRow(surroundings, rowId)))
    },
    async 'row.fork'({ workspaceId, rowId, inclusive }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const forked = await services.sessions.fork(session.value, { rowId, isInclusive: inclusive })
      return forked.ok ? ok({ workspace: forked.value }) : forked
    },
    async 'history.clear'({ workspaceId, soft }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const cleared = await session.value.edit((surroundings) => clearHistory(surroundings, { soft }))
      return cleared.ok ? ok({ rows: cleared.value }) : cleared
    },
    async 'windows.list'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const windows = await session.value.store.listWindows()
      return windows.ok ? ok({ windows: windows.value.map(viewOf) }) : err(failureOf(windows.error))
    },
    async 'window.verify'({ workspaceId, windowId, again }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      const verdict = await session.value.store.verifyWindow(windowId, { again })
      if (!verdict.ok) return err(failureOf(verdict.error))
      if (verdict.value === null) return err(failure('not-found', `There is no window ${windowId} in this history.`))
      if (verdict.value.kind === 'verified') return ok(verdict.value)
      const { difference, rows } = verdict.value
      const { what, line, rowId, historySequence } = difference
      const found = { what, line, rowId, historySequence }
      return ok({ kind: 'differs', windowId, rows, difference: found, message: describeDifference(difference) })
    },
    async 'commands.list'({ projectId }) {
      const settings = services.settings.settings()
      const project = settings.projects.find(({ id }) => id === projectId)
      const { skills } = await skillsOf({
        paths: services.paths,
        settings,
        projectId,
        projectPath: project?.path ?? null
      })
      return ok({ commands: [...SLASH_COMMANDS, ...skills.map(skillCommand)] })
    }
  }
}

function done(edited: Result<void, RequestFailure>): Result<Record<string, never>, RequestFailure> {
  return edited.ok ? ok({}) : edited
}

function viewOf(listing: WindowListing): WindowView {
  const { windowId, kind, rows, bytes, firstSequence, lastSequence, startedAtMs, isCurrent } = listing
  return { windowId, kind, rows, bytes, firstSequence, lastSequence, startedAtMs, current: isCurrent }
}
