// Owns copying a workspace's memories into a fork: plain files and folders alone, without the trash, without locks
// and half-written files. A link is not followed: what it points to is not the workspace's.
import { constants, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FOLDER_MODE } from '../files/app-paths'
import { isTemporaryName } from '../files/atomic-write'
import { isNotFound } from '../files/file-error'

/** Throws the system's error; no folder, nothing to do. */
export async function copyMemories(from: string, to: string): Promise<void> {
  let entries
  try {
    entries = await readdir(from, { withFileTypes: true })
  } catch (cause) {
    if (isNotFound(cause)) return
    throw cause
  }
  const kept = entries.filter(
    ({ name }) => name !== '.trash' && !name.startsWith('.memory.lock') && !isTemporaryName(name)
  )
  if (kept.length > 0) await mkdir(to, { recursive: true, mode: PRIVATE_FOLDER_MODE })
  for (const entry of kept) {
    const source = join(from, entry.name)
    if (entry.isDirectory()) await copyMemories(source, join(to, entry.name))
    else if (entry.isFile()) await copyFile(source, join(to, entry.name), constants.COPYFILE_FICLONE)
  }
}
