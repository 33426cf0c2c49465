// Owns opening and listing what may be missing: null or nothing instead of an error.
import { isNotFound } from './file-error'
import { type FileSystem, OPEN_READ } from './file-system'

/** A descriptor for reading, or null when there is no such file. Throws the system's other errors. */
export function openIfThere(fs: FileSystem, path: string): number | null {
  try {
    return fs.open(path, OPEN_READ)
  } catch (cause) {
    if (isNotFound(cause)) return null
    throw cause
  }
}

/** Names in a folder, none when there is no such folder. Throws the system's other errors. */
export function listIfThere(fs: FileSystem, folder: string): string[] {
  try {
    return fs.list(folder)
  } catch (cause) {
    if (isNotFound(cause)) return []
    throw cause
  }
}
