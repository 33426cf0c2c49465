// Owns the second half of an edit, also after a crash: from the marker alone, as often as need be. Removed windows go
// first, the newest before the older, so that a reader in between sees a beginning of the history, never a gap.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { SCAN_STEP_BYTES } from '@common/constants'
import { removeIfThere } from '../files/atomic-write'
import { openIfThere } from '../files/open-if-there'
import { closeQuietly } from './close-quietly'
import type { EditMarker, MarkedFile } from './edit-marker'
import type { HistoryFiles } from './history-files'
import { allocateScanBuffer } from './scan-buffer'
import { windowPath } from './window-files'
import { writeEditedFile } from './write-edited'

/** The first time, right after the new files were written. Throws the system's error; then the marker must stay. */
export async function applyEdit(
  files: HistoryFiles,
  marker: EditMarker,
  ready: ReadonlyMap<number, string>
): Promise<void> {
  for (const file of marker.files.toReversed()) replace(files, file.window, ready.get(file.window) ?? null)
  await settleWindows(files)
}

/**
 * Brings every window to what the committed marker says, whatever is done already. A file that somebody changed
 * meanwhile is neither what it was nor what it should be: it is left as it is. Throws as `applyEdit`.
 */
export async function finishEdit(files: HistoryFiles, marker: EditMarker): Promise<void> {
  for (const file of marker.files.toReversed()) {
    const state = await stateOf(files, file)
    if (state === 'changed') files.log.error('edit-passed-over', { editId: marker.editId, window: file.window })
    if (state !== 'old') continue
    replace(files, file.window, file.newSha256 === null ? null : await writeAgain(files, file))
  }
  await settleWindows(files)
}

function replace(files: HistoryFiles, window: number, temporary: string | null): void {
  const path = windowPath(files, window)
  if (temporary === null) files.fs.unlink(path)
  else files.fs.rename(temporary, path)
}

async function settleWindows({ fs, paths, isDurable }: HistoryFiles): Promise<void> {
  if (isDurable) await fs.syncFolder(paths.windows)
}

async function writeAgain(files: HistoryFiles, file: MarkedFile): Promise<string> {
  const { temporary, newSha256 } = await writeEditedFile(files, file, null)
  if (temporary !== null && newSha256 === file.newSha256) return temporary
  if (temporary !== null) removeIfThere(files.fs, temporary)
  throw Object.assign(new Error('An edit does not come out as it was noted.'), { code: 'EIO', syscall: 'read' })
}

/** `new` also where rows were appended since, or where the file is gone as it should be. */
async function stateOf(files: HistoryFiles, file: MarkedFile): Promise<'old' | 'new' | 'changed'> {
  const descriptor = openIfThere(files.fs, windowPath(files, file.window))
  if (descriptor === null) return file.newSha256 === null ? 'new' : 'changed'
  try {
    const { size } = files.fs.fstat(descriptor)
    const buffer = allocateScanBuffer(SCAN_STEP_BYTES)
    const hash = createHash('sha256')
    const isAt = (at: number): boolean => at === file.newBytes && file.newSha256 !== null
    let isNew = false
    for (let at = 0, steps = 0; at < size;) {
      const wanted = Math.min(buffer.length, size - at, at < file.newBytes ? file.newBytes - at : size)
      const count = files.fs.read(descriptor, buffer, 0, wanted, at)
      if (count === 0) break
      hash.update(buffer.subarray(0, count))
      at += count
      if (isAt(at) && hash.copy().digest('hex') === file.newSha256) isNew = true
      if (++steps % 16 === 0) await setImmediate()
    }
    const whole = hash.digest('hex')
    if (whole === file.oldSha256) return 'old'
    return isNew || whole === file.newSha256 ? 'new' : 'changed'
  } finally {
    closeQuietly(files, descriptor)
  }
}
