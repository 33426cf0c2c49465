// Owns what happens to an edit that a crash left (H-10): one that was noted to count is finished, any other is undone.
// Under history.lock, before anything is appended.
import { fileErrorOf } from '../files/file-error'
import { cutBackCutRows } from './cut-rows'
import { type EditMarker, readEditMarker, removeEditMarker, setEditMarkerAside } from './edit-marker'
import { finishEdit } from './finish-edit'
import type { HistoryFiles } from './history-files'
import { entryOfScan, scanWindowLines } from './scan-window-lines'
import type { WindowEntry } from './window-entry'
import { listWindows, windowInForce } from './window-files'
import type { WindowIndex } from './window-index'

/** What the writer asks before it appends to a history that it does not know. */
export interface EditRecovery {
  /** The edit that was finished, null when there was none to finish. Throws the system's error. */
  recover(): Promise<{ marker: EditMarker; isNoted: boolean } | null>
  /** Drops the marker, once everything else says the same as the windows. */
  close(marker: EditMarker): Promise<void>
}

export function editRecoveryOf(files: HistoryFiles, index: WindowIndex, nowMs: () => number): EditRecovery {
  return {
    async recover() {
      const found = readEditMarker(files)
      if (found.kind === 'none') return null
      if (found.kind === 'damaged') {
        files.log.error('edit-marker-damaged', { keptAs: setEditMarkerAside(files, nowMs()) })
        return null
      }
      const { marker } = found
      if (marker.state === 'prepared') {
        await cutBackCutRows(files, marker.cutRowsBytes)
        await removeEditMarker(files)
        files.log.warn('edit-undone', { editId: marker.editId, kind: marker.kind })
        return null
      }
      await finishEdit(files, marker)
      const isNoted = await index.replace(await entriesAfter(files, marker), { editId: marker.editId })
      files.log.warn('edit-finished', { editId: marker.editId, kind: marker.kind })
      return { marker, isNoted }
    },
    async close(marker) {
      try {
        await removeEditMarker(files)
      } catch (cause) {
        files.log.warn('edit-marker-not-removed', {
          editId: marker.editId,
          ...fileErrorOf(cause, 'end an edit', files.paths.editMarker)
        })
      }
    }
  }
}

/** The windows as the edit left them: their bytes were just compared with the marker's hashes. */
async function entriesAfter(files: HistoryFiles, marker: EditMarker): Promise<Map<number, WindowEntry | null>> {
  const current = windowInForce(files, listWindows(files))
  const entries = new Map<number, WindowEntry | null>()
  for (const { window } of marker.files) {
    const scan = await scanWindowLines(files, window)
    entries.set(window, scan === null ? null : entryOfScan(window, scan, window !== current))
  }
  return entries
}
