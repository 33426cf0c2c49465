// Owns making folders that only their owner may enter, whatever the umask.
import { dirname } from 'node:path'
import { PRIVATE_FOLDER_MODE } from './app-paths'
import { systemCodeOf } from './file-error'
import type { FileSystem } from './file-system'

/**
 * Makes `path` and its missing parents, 0700. A folder of ours that is open to others is closed to them;
 * where that is refused (not ours, read-only) it stays as it is. Throws the system's error.
 */
export function makePrivateFolder(fs: FileSystem, path: string): void {
  const found = fs.stat(path)
  if (found === null) {
    if (dirname(path) !== path && fs.stat(dirname(path)) === null) makePrivateFolder(fs, dirname(path))
    makeOne(fs, path)
    fs.setPathMode(path, PRIVATE_FOLDER_MODE)
  } else if (found.mode !== PRIVATE_FOLDER_MODE) {
    tighten(fs, path)
  }
}

function makeOne(fs: FileSystem, path: string): void {
  try {
    fs.makeFolder(path, PRIVATE_FOLDER_MODE)
  } catch (cause) {
    // Another process made it at the same moment.
    if (systemCodeOf(cause) !== 'EEXIST') throw cause
  }
}

function tighten(fs: FileSystem, path: string): void {
  try {
    fs.setPathMode(path, PRIVATE_FOLDER_MODE)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code !== 'EPERM' && code !== 'EACCES' && code !== 'EROFS') throw cause
  }
}
