// Owns one question: can this folder be listed and entered now?
import { accessSync, constants, statSync } from 'node:fs'
import { systemCodeOf } from '../files/file-error'

/** False when the folder is gone, is no folder, or may not be read. */
export function isFolderReadable(path: string): boolean {
  if (path === '' || isImpossiblePath(path)) return false
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return statSync(path).isDirectory()
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return false
  }
}

/** True for a path that no system takes: its calls throw as if we had made a mistake. */
export function isImpossiblePath(path: string): boolean {
  return path.includes('\0')
}
