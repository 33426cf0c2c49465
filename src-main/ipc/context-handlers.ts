// Owns the requests about what a context window holds.
import type { AppServices } from './app-services'
import type { Handlers } from './dispatch'
import { sessionOf } from './workspace-handlers'

export function contextHandlers(services: AppServices): Pick<Handlers, 'context.sections'> {
  return {
    async 'context.sections'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      return session.ok ? session.value.contextSections() : session
    }
  }
}
