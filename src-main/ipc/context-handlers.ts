// Owns the requests about what a context window holds, and about what would survive its compaction.
import { carryOverNow } from '../session/carry-over-now'
import { contextSections } from '../session/context-sections'
import type { AppServices } from './app-services'
import type { Handlers } from './dispatch'
import { sessionOf } from './workspace-handlers'

type ContextRequests = 'context.sections' | 'context.carryOver' | 'context.setCarryOver'

export function contextHandlers(services: AppServices): Pick<Handlers, ContextRequests> {
  return {
    async 'context.sections'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      return session.ok ? session.value.ask(contextSections) : session
    },
    async 'context.carryOver'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      return session.ok ? session.value.ask((deps, opened) => carryOverNow(deps, opened, null)) : session
    },
    async 'context.setCarryOver'({ workspaceId, itemId, isOn }) {
      const session = await sessionOf(services, workspaceId)
      return session.ok ? session.value.ask((deps, opened) => carryOverNow(deps, opened, { itemId, isOn })) : session
    }
  }
}
