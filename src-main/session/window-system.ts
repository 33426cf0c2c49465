// Owns the system text of a context window (W-0): built once when the window starts, stored by hash, the same for all
// its requests. A fresh window's text is only a candidate until its rows are in the history (P-5).
import { loadInstructions } from '../agents/project-instructions'
import { readPart } from '../context/request-parts'
import { systemPromptOf } from '../context/system-prompt'
import { type FrozenKey, freezeSystem, readFrozenSystem } from './frozen-system'
import { memoryUseKey } from './memory-use'
import type { MemoryUse } from './memory-use'
import type { OpenedSession, SessionDeps } from './session-deps'
import { chooseMemories, frozenMemoriesOf, type ChosenMemories } from './window-memories'
import type { FrozenMemories } from './workspace-file'

export interface SystemSource {
  readonly agentId: string
  readonly prompt: string
  /** Of the model that starts the window: counts what the memories take. */
  readonly encoding: string
  readonly memoryUse: MemoryUse
}

/** What a window that is not there yet would be given. */
export interface FreshSystem {
  readonly text: string
  /** The block of memories in it; '' for none. */
  readonly memories: string
  readonly notesCarried: boolean
  /** Makes it the text of this window, once the window's rows are durable. */
  adopt(windowId: string): Promise<void>
}

/** The text of the window in force; built now when it has none for this agent and these switches yet. */
export async function windowSystem(deps: SessionDeps, opened: OpenedSession, source: SystemSource): Promise<string> {
  const windowId = opened.history.currentWindowId
  const key = keyOf(opened, source, windowId)
  const frozen = await readFrozenSystem(opened.paths.requestParts, opened.workspace.file.frozenSystem, key)
  if (frozen !== null) return frozen
  const memories = source.memoryUse.isPreloaded ? await frozenMemoriesOf(deps, opened, source) : null
  const text = await buildText(deps, opened, { source, block: memories?.block ?? '' })
  await freeze(opened, { source, windowId, text, memories: memories?.frozen ?? null })
  return text
}

/** The text that a window begun now would have; nothing of the present window changes. */
export async function freshSystem(
  deps: SessionDeps,
  opened: OpenedSession,
  source: SystemSource
): Promise<FreshSystem> {
  const chosen = source.memoryUse.isPreloaded ? await chooseMemories(deps, opened, source) : null
  const text = await buildText(deps, opened, { source, block: chosen?.block ?? '' })
  return {
    text,
    memories: chosen?.block ?? '',
    notesCarried: chosen?.notesCarried ?? false,
    async adopt(windowId) {
      const memories = chosen === null ? null : await chosen.freeze(windowId)
      await freeze(opened, { source, windowId, text, memories })
    }
  }
}

/** The text that a request of the window in force has now, and the memories in it. Freezes nothing. */
export async function presentSystem(
  deps: SessionDeps,
  opened: OpenedSession,
  source: SystemSource
): Promise<Pick<FreshSystem, 'text' | 'memories'>> {
  const { requestParts } = opened.paths
  const { frozenSystem } = opened.workspace.file
  const key = keyOf(opened, source, opened.history.currentWindowId)
  const text = await readFrozenSystem(requestParts, frozenSystem, key)
  if (text === null) return freshSystem(deps, opened, source)
  const sha256 = source.memoryUse.isPreloaded ? frozenSystem?.memories?.sha256 : null
  const memories = typeof sha256 === 'string' ? await readPart(requestParts, sha256) : null
  return { text, memories: memories ?? '' }
}

async function buildText(
  deps: SessionDeps,
  opened: OpenedSession,
  { source, block }: { source: SystemSource; block: ChosenMemories['block'] }
): Promise<string> {
  const { access } = source.memoryUse
  const { projectPath } = opened.workspace.file
  const text = systemPromptOf({
    agentPrompt: source.prompt,
    projectPath,
    platform: process.platform,
    date: new Date(deps.clock.now()).toISOString().slice(0, 10),
    instructions: await loadInstructions({ homeDir: deps.paths.root, projectDir: projectPath }),
    memory: access === 'off' ? null : { access, block }
  })
  // Struck out before it is sent: what is sent, stored and hashed are the same bytes (V-1).
  return deps.redact(text)
}

interface Freezing {
  readonly source: SystemSource
  readonly windowId: string
  readonly text: string
  readonly memories: FrozenMemories | null
}

async function freeze(opened: OpenedSession, { source, windowId, text, memories }: Freezing): Promise<void> {
  const stored = await freezeSystem(opened.paths.requestParts, text, keyOf(opened, source, windowId))
  if (stored === null) return
  // With hot memories switched off, those of the window stay as they are, for when they are switched on again.
  const before = opened.workspace.file.frozenSystem?.memories
  const kept = source.memoryUse.isPreloaded ? memories : before
  await opened.workspace.update({ frozenSystem: { ...stored, memories: kept ?? null } })
}

function keyOf(opened: OpenedSession, { agentId, memoryUse }: SystemSource, windowId: string): FrozenKey {
  return { windowId, agentId, projectPath: opened.workspace.file.projectPath, memoryUse: memoryUseKey(memoryUse) }
}
