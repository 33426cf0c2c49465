// Owns carrying out an edit so that it happens whole or not at all (H-10): note that it begins, write what it cuts
// and what it leaves beside the windows, note that it counts, then let the new files take their names.
// The caller holds history.lock, knows that no edit is under way, and ends with `closeEdit`.
import { systemCodeOf } from '../files/file-error'
import { removeIfThere } from '../files/atomic-write'
import { CutRowsFile, cutBackCutRows, cutRowsBytes } from './cut-rows'
import { type EditMarker, type MarkedFile, readEditMarker, removeEditMarker, writeEditMarker } from './edit-marker'
import type { EditPlan } from './edit-plan'
import { applyEdit, finishEdit } from './finish-edit'
import type { HistoryFiles } from './history-files'
import { type EditedFile, writeEditedFile } from './write-edited'

export interface EditRequest {
  readonly plan: EditPlan
  readonly editId: string
  readonly atMs: number
  readonly highestSequence: number
}

export type EditOutcome =
  /** The windows are as the plan says; the marker is still there. */
  | { readonly kind: 'done'; readonly marker: EditMarker }
  /** The windows are as they were. */
  | { readonly kind: 'undone'; readonly cause: unknown }
  /** It counts, but the disk failed on the way: it is finished before anything else is written. */
  | { readonly kind: 'unfinished'; readonly cause: unknown }

export async function transactEdit(files: HistoryFiles, request: EditRequest): Promise<EditOutcome> {
  const prepared: EditMarker = {
    version: 1,
    state: 'prepared',
    editId: request.editId,
    kind: request.plan.kind,
    highestSequence: request.highestSequence,
    cutRowsBytes: 0,
    files: []
  }
  const edited: EditedFile[] = []
  let marker = prepared
  try {
    marker = { ...prepared, cutRowsBytes: cutRowsBytes(files) }
    await writeEditMarker(files, marker)
    await writeAll(files, request, edited)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return undo(files, marker, edited, cause)
  }
  const committed: EditMarker = { ...marker, state: 'committed', files: edited.map(markedFileOf) }
  try {
    await writeEditMarker(files, committed)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return undo(files, marker, edited, cause)
  }
  return apply(files, committed, temporaries(edited))
}

async function apply(
  files: HistoryFiles,
  marker: EditMarker,
  ready: ReadonlyMap<number, string>
): Promise<EditOutcome> {
  try {
    await applyEdit(files, marker, ready)
    return { kind: 'done', marker }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    files.log.warn('edit-interrupted', { editId: marker.editId, cause: String(cause) })
  }
  try {
    // It counts by now, so it is tried again at once: most faults are over by then.
    await finishEdit(files, marker)
    return { kind: 'done', marker }
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    files.log.error('edit-unfinished', { editId: marker.editId, cause: String(cause) })
    return { kind: 'unfinished', cause }
  }
}

/** Writes what is cut and what stays, window by window, all of it on disk when answered. */
async function writeAll(files: HistoryFiles, request: EditRequest, edited: EditedFile[]): Promise<void> {
  const { plan, editId, atMs } = request
  const isCutting = plan.files.some(({ parts }) => parts.some(({ kind }) => kind === 'cut'))
  const cutRows = isCutting ? CutRowsFile.open(files) : null
  try {
    const cut = cutRows === null ? null : { cutRows, editId, kind: plan.kind, atMs }
    for (const file of plan.files) edited.push(await writeEditedFile(files, file, cut))
    await cutRows?.settle()
  } finally {
    cutRows?.close()
  }
}

/** Takes back what was prepared. What cannot be taken back now is at the next look, by the marker. */
async function undo(
  files: HistoryFiles,
  marker: EditMarker,
  edited: readonly EditedFile[],
  cause: unknown
): Promise<EditOutcome> {
  for (const temporary of temporaries(edited).values()) removeIfThere(files.fs, temporary)
  try {
    // The note that it counts may have got through although it was reported as failed.
    const found = readEditMarker(files)
    if (found.kind === 'marker' && found.marker.state === 'committed') await removeEditMarker(files)
    await cutBackCutRows(files, marker.cutRowsBytes)
    await removeEditMarker(files)
    return { kind: 'undone', cause }
  } catch (undoCause) {
    if (systemCodeOf(undoCause) === null) throw undoCause
    files.log.error('edit-undo-failed', { editId: marker.editId, cause: String(undoCause), afterCause: String(cause) })
    return { kind: mayStillCount(files) ? 'unfinished' : 'undone', cause }
  }
}

/** True also where that cannot be told. */
function mayStillCount(files: HistoryFiles): boolean {
  try {
    const found = readEditMarker(files)
    return found.kind === 'marker' && found.marker.state === 'committed'
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return true
  }
}

function markedFileOf({ window, oldSha256, newBytes, newSha256, parts }: EditedFile): MarkedFile {
  return { window, oldSha256, newBytes, newSha256, parts }
}

function temporaries(edited: readonly EditedFile[]): Map<number, string> {
  return new Map(edited.flatMap(({ window, temporary }) => (temporary === null ? [] : [[window, temporary]])))
}
