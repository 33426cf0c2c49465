// Owns giving up a descriptor whose work is done: a close that fails is told to the log, it changes nothing.
import { systemCodeOf } from '../files/file-error'
import type { HistoryFiles } from './history-files'

export function closeQuietly({ fs, log }: Pick<HistoryFiles, 'fs' | 'log'>, descriptor: number): void {
  try {
    fs.close(descriptor)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    log.warn('close-failed', { cause: String(cause) })
  }
}
