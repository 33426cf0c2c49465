// Owns the memories of a window (Y-2, W-0): chosen when it starts, stored by hash, the same for all of its
// requests, also after a restart and under another agent. What was given and what was not is kept for the panel.
import { MAX_RECORDED_SKIPS } from '@common/constants'
import { readPart, storePart } from '../context/request-parts'
import { chooseHotMemories } from '../memory/hot-memories'
import { hotMemoryBlock } from '../memory/hot-memory-block'
import { listMemories } from '../memory/list-memories'
import type { MemoryStore } from '../memory/memory-store'
import { memoryStoreOf } from '../memory/memory-store'
import { readMemory } from '../memory/read-memory'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { FrozenMemories } from './workspace-file'

export interface WindowMemories {
  /** What goes into the system text; empty where there is nothing. */
  readonly block: string
  /** Null when the block could not be stored: the next turn chooses anew. */
  readonly frozen: FrozenMemories | null
}

export interface ChosenMemories {
  readonly block: string
  /** Are the agent's working notes among them (N-1)? */
  readonly notesCarried: boolean
  /** Stores them as those of this window; null when they could not be stored. */
  freeze(windowId: string): Promise<FrozenMemories | null>
}

/** Of the model that starts the window: counts what the memories take. */
export interface MemoryReader {
  readonly encoding: string
}

/** The memories of the workspace that is open. */
export function memoriesOf(deps: Pick<SessionDeps, 'paths' | 'clock' | 'log'>, opened: OpenedSession): MemoryStore {
  return memoryStoreOf(deps, { folder: opened.paths.root, projectId: opened.workspace.file.projectId })
}

/** The block that the window in force was given, or the one that it is given now. */
export async function frozenMemoriesOf(
  deps: SessionDeps,
  opened: OpenedSession,
  reader: MemoryReader
): Promise<WindowMemories> {
  const windowId = opened.history.currentWindowId
  const { projectId, frozenSystem } = opened.workspace.file
  const frozen = frozenSystem?.memories ?? null
  if (frozen?.windowId === windowId && frozen.projectId === projectId) {
    const block = frozen.sha256 === null ? '' : await readPart(opened.paths.requestParts, frozen.sha256)
    if (block !== null) return { block, frozen }
  }
  const chosen = await chooseMemories(deps, opened, reader)
  return { block: chosen.block, frozen: await chosen.freeze(windowId) }
}

/** The memories that a window begun now is given. Stores nothing by itself. */
export async function chooseMemories(
  deps: SessionDeps,
  opened: OpenedSession,
  { encoding }: MemoryReader
): Promise<ChosenMemories> {
  const store = memoriesOf(deps, opened)
  const { memories, problems } = await listMemories(store)
  for (const message of problems) deps.log.warn('memories-not-read', { message })
  const { chosen, skipped } = await chooseHotMemories(memories, {
    async readText(path) {
      const read = await readMemory(store, path)
      return read.ok ? read.value.text : null
    },
    async countTokens(text) {
      const counted = await deps.counter.countText(text, encoding)
      // A token is at least a byte.
      return counted.ok ? counted.value : Buffer.byteLength(text)
    }
  })
  const block = deps.redact(hotMemoryBlock(chosen))
  return {
    block,
    notesCarried: false,
    async freeze(windowId) {
      const sha256 = block === '' ? null : await storePart(opened.paths.requestParts, block)
      if (block !== '' && sha256 === null) return null
      const preloaded = chosen.map(({ path, bytes, modifiedAtMs }) => ({ path, bytes, modifiedAtMs }))
      const { projectId } = opened.workspace.file
      return { windowId, projectId, sha256, preloaded, skipped: skipped.slice(0, MAX_RECORDED_SKIPS) }
    }
  }
}
