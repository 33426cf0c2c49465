// Owns the freezing of a window's system text and of the memories in it (W-0): built once, stored by hash, reused
// after a restart, so that the prefix stays byte-stable and a request can be built again.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
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

/** The text of this hash, or null when its file is missing, changed or not readable. */
export async function readPart(partsDir: string, sha256: string): Promise<string | null> {
  try {
    const text = await readFile(join(partsDir, `${sha256}.txt`), 'utf8')
    return sha256Of(text) === sha256 ? text : null
  } catch (cause) {
    fileErrorOf(cause, 'read a part of the request', partsDir)
    return null
  }
}

/** Stores a text by its hash, which it answers; null when it could not be stored. */
export async function storePart(partsDir: string, text: string): Promise<string | null> {
  const sha256 = sha256Of(text)
  try {
    makePrivateFolder(nodeFileSystem, partsDir)
    const written = await writeFileAtomic(join(partsDir, `${sha256}.txt`), text)
    return written.ok ? sha256 : null
  } catch (cause) {
    fileErrorOf(cause, 'store a part of the request', partsDir)
    return null
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
