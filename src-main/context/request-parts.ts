// Owns `request-parts/`: texts that many requests share (system text, memory block, tool schemas), each stored once
// under the hash of its bytes (V-1). Whoever stores a text struck the keys of providers out of it before.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
import { sha256Of } from './canonical-json'

/** The text of this hash, or null when its file is missing, changed or not readable. */
export async function readPart(partsDir: string, sha256: string): Promise<string | null> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return null
  try {
    const text = await readFile(partPath(partsDir, sha256), 'utf8')
    return sha256Of(text) === sha256 ? text : null
  } catch (cause) {
    fileErrorOf(cause, 'read a part of the request', partsDir)
    return null
  }
}

/** True when a part of this hash is there; whether it is whole only `readPart` tells. */
export function hasPart(partsDir: string, sha256: string): boolean {
  try {
    return nodeFileSystem.stat(partPath(partsDir, sha256)) !== null
  } catch (cause) {
    fileErrorOf(cause, 'look for a part of the request', partsDir)
    return false
  }
}

/**
 * Stores a text by its hash, which it answers; null when it could not be stored. `durable: false` leaves it to the
 * system when it reaches the disk: for what can be told to be damaged and matters to no later request.
 */
export async function storePart(
  partsDir: string,
  text: string,
  options: { readonly durable?: boolean } = {}
): Promise<string | null> {
  const sha256 = sha256Of(text)
  try {
    makePrivateFolder(nodeFileSystem, partsDir)
    const written = await writeFileAtomic(partPath(partsDir, sha256), text, options)
    return written.ok ? sha256 : null
  } catch (cause) {
    fileErrorOf(cause, 'store a part of the request', partsDir)
    return null
  }
}

function partPath(partsDir: string, sha256: string): string {
  return join(partsDir, `${sha256}.txt`)
}
