// Owns the freezing of a window's system text and of the memories in it (W-0): built once, stored by hash, reused
// after a restart, so that the prefix stays byte-stable and a request can be built again.
import { readPart, storePart } from '../context/request-parts'
import type { FrozenSystem } from './workspace-file'

export type FrozenKey = Pick<FrozenSystem, 'windowId' | 'agentId' | 'projectPath' | 'memoryUse'>

/**
 * The frozen text for this window, agent, project and use of memory, or null when it was frozen for another or its
 * file is missing, changed or not readable: it is then built anew, and the cache of the provider starts over.
 */
export async function readFrozenSystem(
  partsDir: string,
  frozen: FrozenSystem | null | undefined,
  key: FrozenKey
): Promise<string | null> {
  if (frozen === null || frozen === undefined) return null
  if (frozen.windowId !== key.windowId || frozen.agentId !== key.agentId) return null
  if (frozen.projectPath !== key.projectPath || frozen.memoryUse !== key.memoryUse) return null
  return readPart(partsDir, frozen.sha256)
}

/** Stores the text by its hash and answers what workspace.json keeps; null when it could not be stored. */
export async function freezeSystem(partsDir: string, text: string, key: FrozenKey): Promise<FrozenSystem | null> {
  const sha256 = await storePart(partsDir, text)
  return sha256 === null ? null : { ...key, sha256 }
}
