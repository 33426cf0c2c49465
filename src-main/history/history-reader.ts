// Owns reading a history that this process does not hold open: no lock, no folder made, nothing changed.
import type { Clock } from '@common/clock'
import { err, ok, type Result } from '@common/result'
import { workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { type FileSystem, nodeFileSystem } from '../files/file-system'
import type { Log } from '../files/log'
import type { HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import { type HistoryState, readHistoryState } from './history-state'

/** Short reads of a history; an open `HistoryStore` is one too, and keeps its own appends out of them. */
export interface HistoryReader {
  /** `task` is synchronous and bounded. */
  read<T>(task: (files: HistoryFiles, state: HistoryState) => T): Promise<Result<T, HistoryError>>
}

export interface ReaderOptions {
  readonly workspaceDir: string
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
  readonly fs?: FileSystem
}

/** Reads whatever is there: a workspace without a history reads as empty. */
export function historyReaderOf({ workspaceDir, clock, log, fs = nodeFileSystem }: ReaderOptions): HistoryReader {
  const files: HistoryFiles = { fs, paths: workspacePathsOf(workspaceDir), log, isDurable: false }
  return {
    async read(task) {
      try {
        return ok(task(files, await readHistoryState(files, clock)))
      } catch (cause) {
        return err(fileErrorOf(cause, 'read the history', workspaceDir))
      }
    }
  }
}
