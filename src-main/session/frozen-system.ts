// Owns the freezing of a window's system text (W-0): built once, stored by hash, reused after a restart, so
// that the prefix stays byte-stable and a request can be built again.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
import type { FrozenSystem } from './workspace-file'

export type FrozenKey = Pick<FrozenSystem, 'windowId' | 'agentId' | 'projectPath'>

/**
 * The frozen text for this window, agent and project, or null when it was frozen for another or its file is
 * missing, changed or not readable: it is then built anew, and the cache of the provider starts over.
 */
export async function readFrozenSystem(
  partsDir: string,
  frozen: FrozenSystem | null | undefined,
  key: FrozenKey
): Promise<string | null> {
  if (frozen === null || frozen === undefined) return null
  if (frozen.windowId !== key.windowId || frozen.agentId !== key.agentId || frozen.projectPath !== key.projectPath) {
    return null
  }
  try {
    const text = await readFile(join(partsDir, `${frozen.sha256}.txt`), 'utf8')
    return sha256Of(text) === frozen.sha256 ? text : null
  } catch (cause) {
    fileErrorOf(cause, 'read the system text', partsDir)
    return null
  }
}

/** Stores the text by its hash and answers what workspace.json keeps; null when it could not be stored. */
export async function freezeSystem(partsDir: string, text: string, key: FrozenKey): Promise<FrozenSystem | null> {
  const sha256 = sha256Of(text)
  try {
    makePrivateFolder(nodeFileSystem, partsDir)
    const written = await writeFileAtomic(join(partsDir, `${sha256}.txt`), text)
    return written.ok ? { ...key, sha256 } : null
  } catch (cause) {
    fileErrorOf(cause, 'store the system text', partsDir)
    return null
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
