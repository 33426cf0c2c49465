// Owns reading the one line that begins at a byte of a window's file.
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import { NEWLINE } from '../history/read-lines'
import { windowPath } from '../history/window-files'

/** Most rows are a few kilobytes. */
const FIRST_STEP_BYTES = 8_192

/** Without its newline; null where no line begins there or it is over the limit. Throws the system's error. */
export function readLineAt(files: HistoryFiles, window: number, byteOffset: number): Buffer | null {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return null
  try {
    if (!beginsLine(files, descriptor, byteOffset)) return null
    let bytes = Buffer.alloc(0)
    for (let step = FIRST_STEP_BYTES; bytes.length <= MAX_LINE_BYTES; step = Math.min(step * 2, SCAN_STEP_BYTES)) {
      const next = Buffer.allocUnsafe(step)
      const count = files.fs.read(descriptor, next, 0, step, byteOffset + bytes.length)
      const newline = next.subarray(0, count).indexOf(NEWLINE)
      bytes = Buffer.concat([bytes, next.subarray(0, newline === -1 ? count : newline)])
      if (newline !== -1 || count === 0) return bytes.length === 0 || bytes.length > MAX_LINE_BYTES ? null : bytes
    }
    return null
  } finally {
    files.fs.close(descriptor)
  }
}

function beginsLine({ fs }: HistoryFiles, descriptor: number, byteOffset: number): boolean {
  if (byteOffset === 0) return true
  const before = Buffer.alloc(1)
  return fs.read(descriptor, before, 0, 1, byteOffset - 1) === 1 && before[0] === NEWLINE
}
