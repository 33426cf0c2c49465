// Owns what every part of the history needs to reach its files: the seam, the paths, where to report.
import type { WorkspacePaths } from '../files/app-paths'
import type { FileSystem } from '../files/file-system'
import type { Log } from '../files/log'

export interface HistoryFiles {
  readonly fs: FileSystem
  readonly paths: WorkspacePaths
  readonly log: Log
  /** False leaves it to the system when bytes reach the disk (a setting, H-1). */
  readonly isDurable: boolean
}
