// Owns the system text of a context window (W-0): built once when the window starts, stored by hash, the same for all
// its requests. A fresh window's text is only a candidate until its rows are in the history (P-5).
import { loadInstructions } from '../agents/project-instructions'
import { systemPromptOf } from '../context/system-prompt'
import { type FrozenKey, freezeSystem, readFrozenSystem } from './frozen-system'
import { memoryUseKey } from './memory-use'
import type { MemoryUse } from './memory-use'
import type { OpenedSession, SessionDeps } from './session-deps'
import { freshMemories, windowMemories, type WindowMemories } from './window-memories'

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
  const memories = source.memoryUse.isPreloaded ? await windowMemories(deps, opened, source) : null
  const text = await buildText(deps, opened, { source, block: memories?.block ?? '' })
  await freeze(opened, { source, windowId, text, memories })
  return text
}

/** The text that a window begun now would have; nothing of the present window changes. */
export async function freshSystem(
  deps: SessionDeps,
  opened: OpenedSession,
  source: SystemSource
): Promise<FreshSystem> {
  const memories = source.memoryUse.isPreloaded ? await freshMemories(deps, opened, source) : null
  const text = await buildText(deps, opened, { source, block: memories?.block ?? '' })
  return {
    text,
    notesCarried: memories?.notesCarried ?? false,
    adopt: (windowId) => freeze(opened, { source, windowId, text, memories })
  }
}

/** The text that a request of the window in force has now, and the memories in it. Freezes nothing. */
export async function presentSystem(
  deps: SessionDeps,
  opened: OpenedSession,
  source: SystemSource
): Promise<{ readonly text: string; readonly memories: string }> {
  const key = keyOf(opened, source, opened.history.currentWindowId)
  const frozen = await readFrozenSystem(opened.paths.requestParts, opened.workspace.file.frozenSystem, key)
  const memories = source.memoryUse.isPreloaded ? (await windowMemories(deps, opened, source)).block : ''
  return { text: frozen ?? (await buildText(deps, opened, { source, block: memories })), memories }
}

async function buildText(
  deps: SessionDeps,
  opened: OpenedSession,
  { source, block }: { source: SystemSource; block: string }
): Promise<string> {
  const { access, hasNotes } = source.memoryUse
  const { projectPath } = opened.workspace.file
  const text = systemPromptOf({
    agentPrompt: source.prompt,
    projectPath,
    platform: process.platform,
    date: new Date(deps.clock.now()).toISOString().slice(0, 10),
    instructions: await loadInstructions({ homeDir: deps.paths.root, projectDir: projectPath }),
    memory: access === 'off' ? null : { access, block, hasNotes }
  })
  // Struck out before it is sent: what is sent, stored and hashed are the same bytes (V-1).
  return deps.redact(text)
}

interface Freezing {
  readonly source: SystemSource
  readonly windowId: string
  readonly text: string
  readonly memories: WindowMemories | null
}

async function freeze(opened: OpenedSession, { source, windowId, text, memories }: Freezing): Promise<void> {
  const stored = await freezeSystem(opened.paths.requestParts, text, keyOf(opened, source, windowId))
  if (stored === null) return
  // With hot memories switched off, those of the window stay as they are, for when they are switched on again.
  const before = opened.workspace.file.frozenSystem?.memories
  const kept = source.memoryUse.isPreloaded ? await memories?.freeze(windowId) : before
  await opened.workspace.update({ frozenSystem: { ...stored, memories: kept ?? null } })
}

function keyOf(opened: OpenedSession, { agentId, memoryUse }: SystemSource, windowId: string): FrozenKey {
  return { windowId, agentId, projectPath: opened.workspace.file.projectPath, memoryUse: memoryUseKey(memoryUse) }
}
