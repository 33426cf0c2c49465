// Owns the requests about the app as a whole: start, projects, settings, links.
import { resolve } from 'node:path'
import { readdir } from 'node:fs/promises'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import type { RequestFailure } from '@common/contract/bridge'
import type { ProjectView } from '@common/contract/views'
import { isNotFound } from '../files/file-error'
import { openProject, projectViewOf } from '../session/projects'
import type { AppServices } from './app-services'
import { failure } from './dispatch'
import type { Handlers } from './dispatch'

type AppRequests =
  | 'app.start'
  | 'project.pick'
  | 'project.open'
  | 'project.trust'
  | 'project.remove'
  | 'project.offers'
  | 'settings.set'
  | 'shell.open-link'
  | 'shell.painted'

export function appHandlers(services: AppServices): Pick<Handlers, AppRequests> {
  const { settings, shell, sessions } = services

  async function open(path: string): Promise<Result<ProjectView, RequestFailure>> {
    const opened = await openProject(settings, path, services.clock.now())
    if (!opened.ok) return err(failure('io', opened.error))
    tellProjects(services)
    return opened
  }

  return {
    async 'app.start'() {
      settings.refresh()
      const asked = services.openProjectPath === null ? null : await open(resolve(services.openProjectPath))
      const notices = services.notices()
      if (asked !== null && !asked.ok) {
        notices.push({ id: 'open-project', level: 'error', message: asked.error.message, atMs: services.clock.now() })
      }
      const workspaces = await sessions.list()
      const openProjectId = asked?.ok === true ? asked.value.id : null
      const candidates = workspaces.filter(
        (workspace) => !workspace.archived && (openProjectId === null || workspace.projectId === openProjectId)
      )
      const openWorkspaceId = candidates[0]?.workspaceId ?? null
      // Opened while the window draws; who asks for it next gets the same session, or hears why there is none.
      if (openWorkspaceId !== null) void sessions.open(openWorkspaceId).catch(() => undefined)
      return ok({
        version: services.version,
        platform: process.platform,
        homePath: services.paths.root,
        runtimeFallback: services.runtimeFallback,
        settings: settings.settings(),
        projects: settings.settings().projects.map(projectViewOf),
        workspaces,
        notices,
        openWorkspaceId,
        openProjectId
      })
    },
    async 'project.pick'() {
      const path = await shell.pickFolder()
      if (path === null) return ok({ project: null })
      const opened = await open(path)
      return opened.ok ? ok({ project: opened.value }) : opened
    },
    async 'project.open'({ path }) {
      const opened = await open(path)
      return opened.ok ? ok({ project: opened.value }) : opened
    },
    async 'project.trust'({ projectId, trusted }) {
      const saved = await settings.update('projects', (projects) =>
        projects.map((project) => (project.id === projectId ? { ...project, trusted } : project))
      )
      if (!saved.ok) return err(failure('io', saved.error.message))
      const project = saved.value.projects.find((candidate) => candidate.id === projectId)
      if (project === undefined) return err(failure('not-found', 'That project is no longer in the list.'))
      tellProjects(services)
      return ok({ project: projectViewOf(project) })
    },
    async 'project.remove'({ projectId }) {
      const saved = await settings.update('projects', (projects) => projects.filter(({ id }) => id !== projectId))
      if (!saved.ok) return err(failure('io', saved.error.message))
      tellProjects(services)
      return ok({})
    },
    async 'project.offers'({ projectId }) {
      const project = settings.settings().projects.find(({ id }) => id === projectId)
      return ok({ files: project === undefined ? [] : await offersOf(project.path) })
    },
    async 'settings.set'({ path, value }) {
      const saved = await settings.set(path, value)
      if (!saved.ok) return err(failure(saved.error.kind === 'invalid' ? 'invalid-input' : 'io', saved.error.message))
      services.publish({ channel: 'app', events: [{ type: 'settings-changed', settings: saved.value }] })
      return ok({ settings: saved.value })
    },
    async 'shell.open-link'({ url }) {
      const opened = await shell.openExternal(url)
      return opened ? ok({}) : err(failure('refused', 'Only web and mail links are opened outside of Tidemark.'))
    },
    async 'shell.painted'({ sinceStartMs }) {
      services.log.info('first-row-painted', { sinceStartMs })
      return ok({})
    }
  }
}

function tellProjects(services: AppServices): void {
  const projects = services.settings.settings().projects.map(projectViewOf)
  services.publish({ channel: 'app', events: [{ type: 'projects-changed', projects }] })
}

/** Files under `.tidemark/` that load only once the project is trusted. */
async function offersOf(projectPath: string): Promise<string[]> {
  const kinds = await Promise.all(
    ['agents', 'skills'].map(async (kind) => {
      try {
        const names = await readdir(resolve(projectPath, '.tidemark', kind))
        return names.map((name) => `.tidemark/${kind}/${name}`)
      } catch (cause) {
        if (isNotFound(cause)) return []
        throw cause
      }
    })
  )
  return kinds.flat().toSorted()
}
