// Owns what deleted and replaced memories become: names in `.trash` of their scope, the newest of them kept.
// Nothing that an agent does takes a memory from the disk at once. Call these under the scope's lock.
import { randomBytes } from 'node:crypto'
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MAX_TRASHED_MEMORIES } from '@common/constants'
import { replaceFile } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { nodeFileSystem } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
import type { MemoryPlace } from './locate-memory'

const TRASH_NAME = '.trash'

/** Moves a memory, or a folder of them, into the trash; answers where it is. Throws the system's error. */
export async function moveToTrash(place: MemoryPlace, nowMs: number): Promise<string> {
  const target = await trashPathFor(place, nowMs)
  await rename(place.absolute, target)
  await prune(place)
  return target
}

/** Keeps a copy of a text that is about to be replaced; answers where it is. Throws the system's error. */
export async function copyToTrash(place: MemoryPlace, text: string, nowMs: number): Promise<string> {
  const target = await trashPathFor(place, nowMs)
  await replaceFile(target, text)
  await prune(place)
  return target
}

/** Begins with the time, so that names sort by age. */
async function trashPathFor(place: MemoryPlace, nowMs: number): Promise<string> {
  const trash = join(place.folder, TRASH_NAME)
  makePrivateFolder(nodeFileSystem, trash)
  // Pruning through a link would remove what is not ours.
  if (!(await lstat(trash)).isDirectory())
    throw Object.assign(new Error(`${trash} is no folder`), { code: 'ENOTDIR', syscall: 'open' })
  const time = new Date(nowMs).toISOString().replace(/[:.]/g, '-')
  return join(trash, `${time}-${randomBytes(2).toString('hex')}-${basename(place.absolute)}`)
}

/** What cannot be removed stays: the trash is then only longer. */
async function prune(place: MemoryPlace): Promise<void> {
  const trash = join(place.folder, TRASH_NAME)
  try {
    const names = (await readdir(trash)).toSorted()
    const old = names.slice(0, Math.max(0, names.length - MAX_TRASHED_MEMORIES))
    for (const name of old) await rm(join(trash, name), { recursive: true, force: true })
  } catch (cause) {
    fileErrorOf(cause, 'empty the trash', trash)
  }
}
