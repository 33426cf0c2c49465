// Owns forking (H-10): a history up to a row, copied into a folder of its own. The source is only read, without a
// lock between processes: sealed windows do not change, and of the one in force only what stands already is copied.
// Copies share their blocks where the file system can (reflinks); never an inode, or one would change the other.
import { dirname } from 'node:path'
import { windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import { PRIVATE_FILE_MODE, type WorkspacePaths, workspacePathsOf } from '../files/app-paths'
import { fileErrorOf } from '../files/file-error'
import { OPEN_UPDATE } from '../files/file-system'
import { makePrivateFolder } from '../files/make-private-folder'
import { closeQuietly } from './close-quietly'
import { copyMemories } from './copy-memories'
import { copyReferencedFiles } from './copy-referenced-files'
import type { RowReference } from './find-row'
import type { HistoryError } from './history-error'
import type { HistoryFiles } from './history-files'
import { locateRow } from './locate-row'
import { entryOfScan, scanWindowLines } from './scan-window-lines'
import { listWindows, windowInForce, windowPath } from './window-files'
import { NO_INDEX, writeIndexFile } from './window-index-file'
import type { WindowEntry } from './window-entry'

export interface ForkRequest {
  /** Of the new workspace; must not be there. */
  readonly targetDir: string
  /** Null takes everything. */
  readonly upTo: RowReference | null
  /** False stops before that row. */
  readonly isInclusive: boolean
}

export interface ForkSummary {
  readonly rows: number
  readonly windows: number
  /** The window in force of the copy. */
  readonly windowId: string
}

export interface ForkPlan {
  /** Oldest first; of the last one's file only `bytes` are taken. */
  readonly windows: readonly { readonly window: number; readonly bytes: number; readonly inode: bigint }[]
  /** What is noted of windows that are taken whole. */
  readonly entries: ReadonlyMap<number, WindowEntry>
}

/** What is to be copied. Under the store's mutex, so that no append of ours is under way. Throws the system's error. */
export async function planFork(
  files: HistoryFiles,
  { upTo, isInclusive }: ForkRequest,
  known: (window: number) => WindowEntry | null
): Promise<Result<ForkPlan, HistoryError>> {
  const all = listWindows(files)
  const place = upTo === null ? null : await locateRow(files, upTo)
  if (upTo !== null && place === null)
    return err({ kind: 'row_not_found', rowId: upTo.id, message: 'That message is no longer in the history.' })
  const last = place === null ? windowInForce(files, all) : place.window
  const windows: { window: number; bytes: number; inode: bigint }[] = []
  const entries = new Map<number, WindowEntry>()
  for (const window of all.filter((each) => each <= last)) {
    const stamp = files.fs.stat(windowPath(files, window))
    if (stamp === null) continue
    const end = window !== last || place === null ? stamp.size : isInclusive ? place.endOffset : place.byteOffset
    // A window without a row of it does not begin.
    if (end === 0) continue
    windows.push({ window, bytes: end, inode: stamp.inode })
    const entry = known(window)
    if (window !== last && entry !== null && entry.sha256 !== null) entries.set(window, entry)
  }
  return ok({ windows, entries })
}

/** Copies what was planned. After an error the target holds a part: the caller removes it. */
export async function copyFork(
  files: HistoryFiles,
  { targetDir }: ForkRequest,
  plan: ForkPlan
): Promise<Result<ForkSummary, HistoryError>> {
  const target: HistoryFiles = { ...files, paths: workspacePathsOf(targetDir) }
  try {
    makePrivateFolder(files.fs, target.paths.windows)
    for (const { window, bytes } of plan.windows) await copyWindow(files, target, window, bytes)
    if (isChanged(files, plan)) return err(CHANGED)
    const windows = plan.windows.map(({ window }) => window)
    await copyReferencedFiles(files, target, windows)
    await copyMemories(files.paths.memories, target.paths.memories)
    const rows = await writeIndex(target, plan)
    await settleFolders(target)
    return ok({ rows, windows: windows.length, windowId: windowIdOf(windowInForce(target, windows)) })
  } catch (cause) {
    return err(fileErrorOf(cause, 'copy the history', targetDir))
  }
}

async function copyWindow(files: HistoryFiles, target: HistoryFiles, window: number, bytes: number): Promise<void> {
  const { fs, isDurable } = files
  const path = windowPath(target, window)
  await fs.copyFile(windowPath(files, window), path)
  fs.setPathMode(path, PRIVATE_FILE_MODE)
  const descriptor = fs.open(path, OPEN_UPDATE)
  try {
    if (fs.fstat(descriptor).size > bytes) fs.truncate(descriptor, bytes)
    if (isDurable) await fs.sync(descriptor)
  } finally {
    closeQuietly(files, descriptor)
  }
}

/** True when an edit replaced a file while it was copied: appends never do. */
function isChanged(files: HistoryFiles, { windows }: ForkPlan): boolean {
  return windows.some(({ window, bytes, inode }) => {
    const stamp = files.fs.stat(windowPath(files, window))
    return stamp === null || stamp.inode !== inode || stamp.size < bytes
  })
}

const CHANGED: HistoryError = {
  kind: 'refused',
  message: 'The history was changed by another process while it was copied. Fork again.'
}

/** The copy's window index; what was noted of whole windows goes on to be compared with. Answers the rows. */
async function writeIndex(target: HistoryFiles, { windows, entries }: ForkPlan): Promise<number> {
  const last = windows.at(-1)?.window
  const copied = new Map<number, WindowEntry>()
  for (const { window } of windows) {
    const known = entries.get(window)
    const scan = known === undefined ? await scanWindowLines(target, window) : null
    const entry = known ?? (scan === null ? null : entryOfScan(window, scan, window !== last))
    if (entry !== null) copied.set(window, entry)
  }
  await writeIndexFile(target, { ...NO_INDEX, entries: copied }, { durable: false })
  return [...copied.values()].reduce((sum, { rows }) => sum + rows, 0)
}

async function settleFolders({ fs, paths, isDurable }: HistoryFiles): Promise<void> {
  if (!isDurable) return
  for (const folder of foldersOf(paths)) if (fs.stat(folder) !== null) await fs.syncFolder(folder)
}

function foldersOf({ root, windows, spill, attachments }: WorkspacePaths): string[] {
  return [windows, spill, attachments, root, dirname(root)]
}
