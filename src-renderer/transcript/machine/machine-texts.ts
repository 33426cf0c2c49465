// Owns how a machine row is named on its one line, and what it says there and opened. Pure.
import type { RowKind } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { requestLabel, requestPreview, requestText } from '../compaction-texts'
import { rowText } from '../rows/row-texts'
import { importedLabel, noteText } from './imported-texts'

/** The name of a machine row; an unknown kind is named as it names itself. */
export function machineLabel(row: Row, kind: RowKind): string {
  switch (kind) {
    case 'context-budget-warning':
      return 'Budget warning to the agent'
    case 'continue':
      return 'Continue'
    case 'goal-continuation':
      return 'Goes on with the goal'
    case 'compaction-request':
      return requestLabel(row)
    case 'prelude':
      return row.metadata.machine?.['source'] === 'skill' ? 'Skill loaded' : 'Added for the agent'
    case 'file-change-notice':
      return 'Files changed on disk'
    case 'branch-summary':
      return 'Summary of the branch'
    case 'context-window-lead-in':
      return 'Lead-in of this window'
    case 'unknown':
      return unknownLabel(row)
    case 'person':
    case 'assistant':
    case 'compaction-summary':
    case 'plain-reset':
    case 'context-window-rollover':
    case 'preserved-tail-copy':
    case 'rejected-input':
      return 'Machine row'
  }
}

/** What the line opens to; empty where the row has no text. */
export function machineText(row: Row, kind: RowKind): string {
  if (kind === 'compaction-request') return requestText(row)
  const text = rowText(row)
  return text === '' && kind === 'unknown' ? noteText(row) : text
}

/** Beside the label: the first line of the text, unless it only says the label again. */
export function machinePreview(row: Row, kind: RowKind): string {
  if (kind === 'compaction-request') return requestPreview(row)
  const line = machineText(row, kind).split('\n', 1)[0] ?? ''
  return line.replace(/[.!]$/, '') === machineLabel(row, kind) ? '' : line
}

function unknownLabel(row: Row): string {
  const { type } = row.metadata.machine ?? {}
  return type === undefined ? 'Machine row' : (importedLabel(type) ?? type)
}
