// Owns `spill/`: whole tool results and inputs that a row only shows the ends of (H-13). Written once, never changed.
// A whole value is named by its SHA-256, so that equal ones are kept once; a growing log has its name from the start.
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fchmodSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SpillReference } from '@common/rows/row-schema'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { replaceFile } from '../files/atomic-write'
import { nodeFileSystem, OPEN_NEW } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'

export interface SpillFiles {
  /** Keeps `content` whole, on disk when answered. Rejects with the system's error. */
  write(content: string | Uint8Array, mediaType?: string): Promise<SpillReference>
  /** Opens a file that grows while a process runs. Its errors surface at `finish`. */
  openStream(): SpillLog
  /** Absolute path of a spill of this workspace, or null when there is none by that id. */
  pathOf(id: string): string | null
}

export interface SpillLog {
  readonly id: string
  readonly path: string
  append(chunk: Uint8Array): void
  /** Resolves when all is on disk; rejects with the first error of any append. */
  finish(): Promise<SpillReference>
}

/** The spill files in this folder; it is made when it is first needed. */
export function openSpill(folder: string): SpillFiles {
  return {
    async write(content, mediaType) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const id = createHash('sha256').update(bytes).digest('hex')
      makePrivateFolder(nodeFileSystem, folder)
      const path = join(folder, id)
      if (nodeFileSystem.stat(path)?.size !== bytes.length) await replaceFile(path, bytes)
      return { id, bytes: bytes.length, ...(mediaType === undefined ? {} : { mediaType }) }
    },
    openStream: () => openLog(folder),
    pathOf(id) {
      const path = isSpillId(id) ? join(folder, id) : null
      return path !== null && existsSync(path) ? path : null
    }
  }
}

/** A plain name: never a path, never a hidden (half-written) file. */
export function isSpillId(id: string): boolean {
  return /^(?:[0-9a-f]{64}|log-[0-9a-f]{16})$/.test(id)
}

function openLog(folder: string): SpillLog {
  const id = `log-${randomBytes(8).toString('hex')}`
  const path = join(folder, id)
  let failure: unknown = null
  let bytes = 0
  let descriptor: number | null = null
  const attempt = (action: () => void): void => {
    if (failure !== null) return
    try {
      action()
    } catch (cause) {
      failure = cause
    }
  }
  attempt(() => {
    makePrivateFolder(nodeFileSystem, folder)
    descriptor = openSync(path, OPEN_NEW, PRIVATE_FILE_MODE)
    fchmodSync(descriptor, PRIVATE_FILE_MODE)
  })
  return {
    id,
    path,
    append: (chunk) =>
      attempt(() => {
        if (descriptor === null) return
        for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at)
        bytes += chunk.length
      }),
    async finish() {
      const open = descriptor
      descriptor = null
      if (open !== null) {
        try {
          if (failure === null) await nodeFileSystem.datasync(open)
        } finally {
          closeSync(open)
        }
      }
      if (failure !== null) throw failure
      return { id, bytes, mediaType: 'text/plain' }
    }
  }
}
