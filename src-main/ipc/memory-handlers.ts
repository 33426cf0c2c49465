// Owns the requests of the memory panel (Y-3): list, read, write, delete, pin. A person may do all of it whatever
// the switches say, which are for agents.
import type { RequestFailure } from '@common/contract/bridge'
import type { MemoryContent, MemoryListing, MemoryView } from '@common/contract/memory-views'
import { NOTES_PATH } from '@common/memory/notes-path'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { workspacePathsOf } from '../files/app-paths'
import { listMemories } from '../memory/list-memories'
import type { Memory } from '../memory/list-memories'
import type { MemoryFailure } from '../memory/memory-failure'
import { memoryStoreOf } from '../memory/memory-store'
import type { MemoryStore } from '../memory/memory-store'
import { readMemory } from '../memory/read-memory'
import type { MemoryText } from '../memory/read-memory'
import { pinMemory } from '../memory/use-memory'
import { deleteMemory, saveMemory } from '../memory/write-memory'
import type { AgentSession } from '../session/agent-session'
import { memoriesInText } from '../session/memory-use'
import { readWorkspaceFile } from '../session/workspace-file'
import type { FrozenMemories } from '../session/workspace-file'
import type { AppServices } from './app-services'
import { failure } from './dispatch'
import type { Handlers } from './dispatch'
import { sessionOf } from './workspace-handlers'

type MemoryRequests = 'memory.list' | 'memory.read' | 'memory.write' | 'memory.delete' | 'memory.pin'

export function memoryHandlers(services: AppServices): Pick<Handlers, MemoryRequests> {
  async function inWorkspace<T>(
    workspaceId: string,
    task: (store: MemoryStore) => Promise<Result<T, MemoryFailure>>
  ): Promise<Result<T, RequestFailure>> {
    const session = await sessionOf(services, workspaceId)
    if (!session.ok) return session
    const done = await task(storeOf(services, session.value))
    return done.ok ? done : err(requestFailure(done.error))
  }

  return {
    async 'memory.list'({ workspaceId }) {
      const session = await sessionOf(services, workspaceId)
      if (!session.ok) return session
      return ok(await listingOf(session.value, storeOf(services, session.value)))
    },
    async 'memory.read'({ workspaceId, path }) {
      const read = await inWorkspace(workspaceId, (store) => readMemory(store, path))
      return read.ok ? ok(contentOf(read.value)) : read
    },
    async 'memory.write'({ workspaceId, path, text, version }) {
      const saved = await inWorkspace(workspaceId, (store) => saveMemory(store, { path, text, version }))
      return saved.ok ? ok(contentOf(saved.value)) : saved
    },
    async 'memory.delete'({ workspaceId, path }) {
      const deleted = await inWorkspace(workspaceId, (store) => deleteMemory(store, path))
      return deleted.ok ? ok({ keptAt: deleted.value.keptAt }) : deleted
    },
    async 'memory.pin'({ workspaceId, path, pinned }) {
      const marked = await inWorkspace(workspaceId, (store) => pinMemory(store, path, pinned))
      return marked.ok ? ok({}) : marked
    }
  }
}

function storeOf(services: AppServices, session: AgentSession): MemoryStore {
  return memoryStoreOf(services, { folder: session.folder, projectId: session.view.projectId })
}

async function listingOf(session: AgentSession, store: MemoryStore): Promise<MemoryListing> {
  const { memories, problems } = await listMemories(store)
  const read = await readWorkspaceFile(workspacePathsOf(session.folder).workspace, session.workspaceId)
  const frozen = read?.file.frozenSystem ?? null
  const windowBegun = frozen?.windowId === session.store.currentWindowId
  const given = windowBegun ? memoriesInText(frozen) : null
  return { memories: memories.map((memory) => viewOf(memory, given)), windowBegun, problems: [...problems] }
}

function viewOf(memory: Memory, given: FrozenMemories | null): MemoryView {
  const notes = memory.path === NOTES_PATH ? (given?.notes ?? null) : null
  const preload = notes ?? given?.preloaded.find(({ path }) => path === memory.path)
  const skip = given?.skipped.find(({ path }) => path === memory.path)
  const isChanged = preload?.bytes !== memory.bytes || preload.modifiedAtMs !== memory.modifiedAtMs
  return {
    ...memory,
    preloaded: preload !== undefined,
    preloadCut: notes?.isCut ?? false,
    changedSincePreload: preload !== undefined && isChanged,
    // Notes that found no place among the others may have their own.
    skipped: preload === undefined ? (skip?.reason ?? null) : null
  }
}

function contentOf({ path, text, version, modifiedAtMs }: MemoryText): MemoryContent {
  return { path, text, version, modifiedAtMs }
}

function requestFailure({ kind, message }: MemoryFailure): RequestFailure {
  switch (kind) {
    case 'bad-path':
      return failure('invalid-input', message)
    case 'missing':
      return failure('not-found', message)
    case 'exists':
    case 'refused':
      return failure('refused', message)
    case 'locked':
      return failure('locked', message)
    case 'io':
      return failure('io', message)
  }
}
