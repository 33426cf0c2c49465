// Owns writing the files that an edit leaves, beside those that it changes: kept bytes are copied as they are, cut
// ones go into cut-rows.jsonl. No window is touched here.
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { SCAN_STEP_BYTES } from '@common/constants'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { removeIfThere, temporaryPathFor } from '../files/atomic-write'
import { OPEN_NEW, OPEN_READ } from '../files/file-system'
import { writeAll } from '../files/write-all'
import { closeQuietly } from './close-quietly'
import type { CutRowsFile } from './cut-rows'
import type { MarkedFile } from './edit-marker'
import { type EditKind, type FilePlan, isRemoved } from './edit-plan'
import type { HistoryFiles } from './history-files'
import { allocateScanBuffer } from './scan-buffer'
import { windowPath } from './window-files'

export interface EditedFile extends MarkedFile {
  /** Where the new file is until it takes its name; null where the window is removed. */
  readonly temporary: string | null
}

export interface CutInto {
  readonly cutRows: CutRowsFile
  readonly editId: string
  readonly kind: EditKind
  readonly atMs: number
}

/** Others get their turn after so many steps (4 MiB). */
const STEPS_A_TURN = 16

/**
 * Writes the new form of one window's file, on disk when answered. `cut` is null where nothing is cut, or was cut
 * before. After an error the half-made file is gone; throws the system's error.
 */
export async function writeEditedFile(files: HistoryFiles, plan: FilePlan, cut: CutInto | null): Promise<EditedFile> {
  const { fs, isDurable } = files
  const path = windowPath(files, plan.window)
  const temporary = isRemoved(plan) ? null : temporaryPathFor(path)
  const source = fs.open(path, OPEN_READ)
  let target: number | null = null
  try {
    if (temporary !== null) {
      target = fs.open(temporary, OPEN_NEW, PRIVATE_FILE_MODE)
      fs.setMode(target, PRIVATE_FILE_MODE)
    }
    const copied = await copyParts(files, plan, { source, target, cut })
    if (target !== null && isDurable) await fs.sync(target)
    return { window: plan.window, parts: [...plan.parts], temporary, ...copied }
  } catch (cause) {
    if (temporary !== null) removeIfThere(fs, temporary)
    throw cause
  } finally {
    closeQuietly(files, source)
    if (target !== null) closeQuietly(files, target)
  }
}

async function copyParts(
  { fs }: HistoryFiles,
  { window, parts }: FilePlan,
  { source, target, cut }: { source: number; target: number | null; cut: CutInto | null }
): Promise<Pick<MarkedFile, 'oldSha256' | 'newBytes' | 'newSha256'>> {
  const before = createHash('sha256')
  const after = createHash('sha256')
  const buffer = allocateScanBuffer(SCAN_STEP_BYTES)
  let newBytes = 0
  let steps = 0
  const put = (bytes: Buffer): void => {
    if (target === null) return
    writeAll(fs, target, bytes)
    after.update(bytes)
    newBytes += bytes.length
  }
  for (const part of parts) {
    if (part.kind === 'put') {
      put(Buffer.from(part.text))
      continue
    }
    const { from, to } = part
    if (part.kind === 'cut' && cut !== null) {
      const { editId, kind, atMs } = cut
      cut.cutRows.begin({ editId, kind, atMs, window, from, bytes: to - from })
    }
    for (let at = from; at < to;) {
      const count = fs.read(source, buffer, 0, Math.min(buffer.length, to - at), at)
      if (count === 0) throw becameShorter()
      const bytes = buffer.subarray(0, count)
      before.update(bytes)
      if (part.kind === 'keep') put(bytes)
      else if (part.kind === 'cut') cut?.cutRows.write(bytes)
      at += count
      if (++steps % STEPS_A_TURN === 0) await setImmediate()
    }
  }
  return { oldSha256: before.digest('hex'), newBytes, newSha256: target === null ? null : after.digest('hex') }
}

function becameShorter(): Error {
  return Object.assign(new Error('The file became shorter.'), { code: 'ESTALE', syscall: 'read' })
}
