// Owns what one workspace's history is searched and read with: its files, the secret for its cursors, and what is
// remembered between calls to save work. Nothing remembered here is a truth; a new one answers the same.
import { join } from 'node:path'
import type { AppPaths } from '../files/app-paths'
import { workspacePathsOf } from '../files/app-paths'
import type { FileSystem } from '../files/file-system'
import { attachmentHashOf } from '../history/attachments'
import type { HistoryReader } from '../history/history-reader'
import { ScanCarry } from '../history/scan-carry'
import { isSpillId } from '../history/spill'
import { FloorFinder } from './floor-finder'
import type { StoredTexts } from './item-text'
import { ResolvedIds } from './resolved-ids'
import { StoredText } from './stored-text'
import { WindowSummaries } from './window-summaries'

export interface BrowserParts {
  readonly workspaceId: string
  readonly workspaceDir: string
  readonly reader: HistoryReader
  readonly fs: FileSystem
  /** The secret of this installation. */
  readonly key: () => Uint8Array
}

/** Files whose marks are remembered. */
const MAX_STORED_TEXTS = 32

export class HistoryBrowser {
  readonly workspaceId: string
  readonly reader: HistoryReader
  readonly floors = new FloorFinder()
  readonly carry = new ScanCarry()
  readonly summaries = new WindowSummaries()
  readonly resolved = new ResolvedIds()
  readonly texts: StoredTexts
  readonly key: () => Uint8Array

  constructor({ workspaceId, workspaceDir, reader, fs, key }: BrowserParts) {
    this.workspaceId = workspaceId
    this.reader = reader
    this.key = key
    this.texts = storedTextsOf(fs, workspaceDir)
  }
}

/** The folder of a workspace in this home. */
export function workspaceDirOf(paths: Pick<AppPaths, 'workspaces'>, workspaceId: string): string {
  return join(paths.workspaces, workspaceId)
}

/** The texts that the rows of a workspace name, by their places in its folder. */
export function storedTextsOf(fs: FileSystem, workspaceDir: string): StoredTexts {
  const { spill, attachments } = workspacePathsOf(workspaceDir)
  const known = new Map<string, StoredText>()
  const textAt = (path: string): StoredText | null => {
    const size = fs.stat(path)?.size ?? null
    if (size === null) return null
    const text = known.get(path)
    if (text?.bytes === size) return text
    const oldest = known.keys().next()
    if (known.size >= MAX_STORED_TEXTS && oldest.done !== true) known.delete(oldest.value)
    const found = new StoredText(fs, path, size)
    known.set(path, found)
    return found
  }
  return {
    spill: (id) => (isSpillId(id) ? textAt(join(spill, id)) : null),
    attachment(url) {
      const sha256 = attachmentHashOf(url)
      return sha256 === null ? null : textAt(join(attachments, sha256))
    }
  }
}
