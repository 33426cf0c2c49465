// Owns what the memory panel asks of main. Only the list is in the state; an opened memory belongs to its dialog.
import type { MemoryContent } from '@common/contract/memory-views'
import type { Layout } from '../app-state'
import { change, type App } from '../app-store'
import { ask, report } from './report'

/** How saving went. On a conflict `present` is what somebody else wrote meanwhile. */
export type MemorySaved =
  | { readonly kind: 'saved'; readonly content: MemoryContent }
  | { readonly kind: 'conflict'; readonly present: MemoryContent }
  | { readonly kind: 'failed'; readonly message: string }

/** Loads the list for a workspace; an answer for one that is no longer shown is dropped. */
export async function loadMemories(app: App, workspaceId: string): Promise<void> {
  change(app, (state) =>
    state.memories?.workspaceId === workspaceId
      ? state
      : { ...state, memories: { workspaceId, listing: null, problem: null } }
  )
  const answer = await app.bridge.request('memory.list', { workspaceId })
  change(app, (state) => {
    if (state.memories?.workspaceId !== workspaceId) return state
    return answer.ok
      ? { ...state, memories: { workspaceId, listing: answer.value, problem: null } }
      : { ...state, memories: { ...state.memories, problem: answer.error.message } }
  })
}

/** Shows the memory panel and opens a memory in it. `sheet`: what the panel stands in on a narrow window. */
export function showMemory(app: App, workspaceId: string, path: string, sheet: Layout['sheet']): void {
  change(app, (state) => ({
    ...state,
    panelTab: 'memory',
    memoryToOpen: { workspaceId, path },
    layout: { ...state.layout, sheet }
  }))
}

/** The memory panel has opened it, or is about to say why not. */
export function memoryShown(app: App): void {
  change(app, (state) => (state.memoryToOpen === null ? state : { ...state, memoryToOpen: null }))
}

export async function pinMemory(app: App, workspaceId: string, path: string, pinned: boolean): Promise<void> {
  await ask(app, 'memory.pin', { workspaceId, path, pinned })
  await loadMemories(app, workspaceId)
}

/** Deletes a memory and says where it is kept; false when it is still there. */
export async function deleteMemory(app: App, workspaceId: string, path: string): Promise<boolean> {
  const deleted = await ask(app, 'memory.delete', { workspaceId, path })
  if (deleted !== null) report(app, 'info', `${path} was deleted. It is kept in ${deleted.keptAt}.`, workspaceId)
  await loadMemories(app, workspaceId)
  return deleted !== null
}

/** Saves over `version`; null makes a new memory. */
export async function saveMemory(
  app: App,
  workspaceId: string,
  path: string,
  text: string,
  version: string | null
): Promise<MemorySaved> {
  const answer = await app.bridge.request('memory.write', { workspaceId, path, text, version })
  if (answer.ok) {
    void loadMemories(app, workspaceId)
    return { kind: 'saved', content: answer.value }
  }
  if (version === null) return { kind: 'failed', message: answer.error.message }
  // Main says in words what went wrong; whether it was another's change shows in what is there now.
  const present = await app.bridge.request('memory.read', { workspaceId, path })
  if (present.ok && present.value.version !== version) return { kind: 'conflict', present: present.value }
  return { kind: 'failed', message: answer.error.message }
}
