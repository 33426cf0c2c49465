// Owns the memories of a window (Y-2, N-1, W-0): chosen when it starts, stored by hash, the same for all of its
// requests, also after a restart and under another agent. The notes are kept apart from the others, so that a switch
// of the mode takes them in or out and changes nothing else. What was given and what was not is kept for the panel.
import { MAX_RECORDED_SKIPS, NOTES_BYTES, NOTES_TOKENS } from '@common/constants'
import { NOTES_PATH } from '@common/memory/notes-path'
import { readPart, storePart } from '../context/request-parts'
import { chooseHotMemories } from '../memory/hot-memories'
import { hotMemoryBlock } from '../memory/hot-memory-block'
import { listMemories } from '../memory/list-memories'
import type { MemoryStore } from '../memory/memory-store'
import { memoryStoreOf } from '../memory/memory-store'
import { notesExtra } from '../memory/notes-extra'
import { readMemory, readMemoryHead } from '../memory/read-memory'
import type { MemoryUse } from './memory-use'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { FrozenMemories, FrozenNotes } from './workspace-file'

export interface WindowMemories {
  /** What goes into the system text; empty where there is nothing. */
  readonly block: string
  /** Are the agent's working notes in it (N-1)? */
  readonly notesCarried: boolean
  /** Stores them as those of this window; null when they could not be stored: the next turn chooses anew. */
  freeze(windowId: string): Promise<FrozenMemories | null>
}

export interface MemoryReader {
  /** Of the model that starts the window: counts what the memories take. */
  readonly encoding: string
  readonly memoryUse: MemoryUse
}

/** The hot memories without the notes' own place. */
interface HotMemories {
  readonly block: string
  readonly preloaded: FrozenMemories['preloaded']
  readonly skipped: FrozenMemories['skipped']
}

/** What the notes add to the block. */
interface Notes {
  readonly text: string
  readonly file: Pick<FrozenNotes, 'bytes' | 'modifiedAtMs' | 'isCut'>
}

interface Kept {
  readonly hot: HotMemories
  /** Undefined where no request of the window asked for them. */
  readonly notes: Notes | null | undefined
}

/** The memories of the workspace that is open. */
export function memoriesOf(deps: Pick<SessionDeps, 'paths' | 'clock' | 'log'>, opened: OpenedSession): MemoryStore {
  return memoryStoreOf(deps, { folder: opened.paths.root, projectId: opened.workspace.file.projectId })
}

/** Those that the window in force was given; what it was not given yet is chosen now. */
export async function windowMemories(
  deps: SessionDeps,
  opened: OpenedSession,
  reader: MemoryReader
): Promise<WindowMemories> {
  return memoriesWith(deps, opened, reader, await keptMemories(opened))
}

/** Those that a window begun now is given. Stores nothing by itself. */
export function freshMemories(deps: SessionDeps, opened: OpenedSession, reader: MemoryReader): Promise<WindowMemories> {
  return memoriesWith(deps, opened, reader, null)
}

async function memoriesWith(
  deps: SessionDeps,
  opened: OpenedSession,
  reader: MemoryReader,
  kept: Kept | null
): Promise<WindowMemories> {
  const chooser = chooserOf(deps, opened, reader)
  const hot = kept?.hot ?? (await chooser.hotMemories())
  const isInHot = hot.preloaded.some(({ path }) => path === NOTES_PATH)
  const isGiven = reader.memoryUse.hasNotes && !isInHot
  const notes = kept?.notes === undefined && isGiven ? await chooser.notesAfter(hot.block) : kept?.notes
  const extra = isGiven ? (notes ?? null) : null
  return {
    block: hot.block + (extra?.text ?? ''),
    notesCarried: isInHot || extra !== null,
    freeze: (windowId) => freezeMemories(opened, windowId, { hot, notes })
  }
}

/** What can still be read of what the window in force was given; null for a window that was given nothing yet. */
async function keptMemories(opened: OpenedSession): Promise<Kept | null> {
  const { projectId, frozenSystem } = opened.workspace.file
  const frozen = frozenSystem?.memories ?? null
  if (frozen?.windowId !== opened.history.currentWindowId || frozen.projectId !== projectId) return null
  const block = frozen.sha256 === null ? '' : await readPart(opened.paths.requestParts, frozen.sha256)
  if (block === null) return null
  return { hot: { ...frozen, block }, notes: await keptNotes(opened, frozen.notes) }
}

async function keptNotes(opened: OpenedSession, frozen: FrozenMemories['notes']): Promise<Kept['notes']> {
  if (frozen === null || frozen === undefined) return frozen
  const { sha256, ...file } = frozen
  const text = await readPart(opened.paths.requestParts, sha256)
  return text === null ? undefined : { text, file }
}

async function freezeMemories(
  opened: OpenedSession,
  windowId: string,
  { hot: { block, preloaded, skipped }, notes }: Kept
): Promise<FrozenMemories | null> {
  const parts = opened.paths.requestParts
  const sha256 = block === '' ? null : await storePart(parts, block)
  if (block !== '' && sha256 === null) return null
  const { projectId } = opened.workspace.file
  const frozen = { windowId, projectId, sha256, preloaded, skipped: skipped.slice(0, MAX_RECORDED_SKIPS) }
  if (notes === null || notes === undefined) return { ...frozen, notes }
  const notesSha256 = await storePart(parts, notes.text)
  return notesSha256 === null ? null : { ...frozen, notes: { ...notes.file, sha256: notesSha256 } }
}

interface Chooser {
  hotMemories(): Promise<HotMemories>
  /** The notes as they are now, to stand behind this block; null where there are none to give. */
  notesAfter(block: string): Promise<Notes | null>
}

function chooserOf(deps: SessionDeps, opened: OpenedSession, { encoding }: MemoryReader): Chooser {
  const store = memoriesOf(deps, opened)
  async function countTokens(text: string): Promise<number> {
    const counted = await deps.counter.countText(text, encoding)
    // A token is at least a byte.
    return counted.ok ? counted.value : Buffer.byteLength(text)
  }
  return {
    async hotMemories() {
      const { memories, problems } = await listMemories(store)
      for (const message of problems) deps.log.warn('memories-not-read', { message })
      const { chosen, skipped } = await chooseHotMemories(memories, {
        async readText(path) {
          const read = await readMemory(store, path)
          return read.ok ? read.value.text : null
        },
        countTokens
      })
      const preloaded = chosen.map(({ path, bytes, modifiedAtMs }) => ({ path, bytes, modifiedAtMs }))
      return { block: deps.redact(hotMemoryBlock(chosen)), preloaded, skipped: [...skipped] }
    },
    async notesAfter(block) {
      const read = await readMemoryHead(store, NOTES_PATH)
      if (!read.ok) return null
      const { bytes, modifiedAtMs } = read.value
      // Struck out before it is cut: half a key would not be known for one.
      const head = { ...read.value, text: deps.redact(read.value.text) }
      const extra = await notesExtra(block, head, { bytes: NOTES_BYTES, tokens: NOTES_TOKENS, countTokens })
      return extra === null ? null : { text: extra.text, file: { bytes, modifiedAtMs, isCut: extra.isCut } }
    }
  }
}
