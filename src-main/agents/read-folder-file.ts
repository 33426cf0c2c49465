// Owns reading a small text file that somebody else wrote into a folder of agents or instructions: a regular
// file only, never through a link that leaves `within`, never more than asked for.
import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'

export type FolderFile =
  | { readonly kind: 'read'; readonly text: string; readonly totalBytes: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Reads at most `maxBytes` from the start. `within` is the folder that links may not leave; null lets them
 * lead anywhere (the person's own folder, where they come from a dotfile manager).
 */
export async function readFolderFile(file: string, within: string | null, maxBytes: number): Promise<FolderFile> {
  try {
    const real = await realpath(file)
    if (within !== null && !isBelow(await realpath(within), real))
      return { kind: 'refused', message: `it is a link that leaves ${within}` }
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
    const handle = await open(real, flags)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return { kind: 'refused', message: 'it is not a regular file' }
      const bytes = Buffer.alloc(Math.min(maxBytes, stats.size))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
      return { kind: 'read', text: wholeText(bytes.subarray(0, bytesRead)), totalBytes: stats.size }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return { kind: 'refused', message: `it cannot be read (${code})` }
  }
}

/** What stands in a folder, sorted; nothing where there is no such folder. The error is one sentence. */
export async function namesIn(folder: string): Promise<Result<string[], string>> {
  try {
    const names = await readdir(folder)
    names.sort()
    return ok(names)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok([])
    return err(`${folder}:1: the folder cannot be read (${code}).`)
  }
}

/** True for a path in the folder, and for the folder itself; both resolved. */
export function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return !relative.startsWith('..') && !path.isAbsolute(relative)
}

/** Decodes without the code point that the cut parted. */
function wholeText(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true })
}
