// Owns what Verify found, in one sentence for a person. Pure.
import { sequenceOfWindowId, windowFileName } from '@common/ids'
import type { WindowDifference } from './verify-window'

export function describeDifference({ windowId, what, line, rowId, historySequence }: WindowDifference): string {
  const row = historySequence === null ? (rowId === null ? 'A line' : `Row ${rowId}`) : `Row ${historySequence}`
  const where = `line ${line} of ${windowFileName(sequenceOfWindowId(windowId) ?? 0)}`
  switch (what) {
    case 'changed':
      return `${row} (${where}) is not what was written: something changed the file since.`
    case 'missing':
      return `${row} is missing; it stood at ${where}.`
    case 'added':
      return `${row} (${where}) was not written by Tidemark here: something put it into the file.`
    case 'order':
      return `${row} (${where}) stands elsewhere than it was written.`
  }
}
