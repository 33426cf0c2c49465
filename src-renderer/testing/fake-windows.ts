// Owns what a fake main says of the windows of a story's rows: the same as the real one would of such a history.
import type { WindowVerdict, WindowView } from '@common/contract/window-views'
import { isBoundary, windowIdOfBoundary } from '@common/rows/boundaries'
import { rowKindOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'

export function windowsOf(rows: readonly Row[]): WindowView[] {
  const starts = rows.flatMap((row, index) => (isBoundary(row) ? [index] : []))
  const all = starts[0] === 0 ? starts : [0, ...starts]
  return all.map((start, at) => windowOf(rows.slice(start, all[at + 1]), at === all.length - 1))
}

export function verdictOf(windows: readonly WindowView[], windowId: string): WindowVerdict {
  const rows = windows.find((window) => window.windowId === windowId)?.rows ?? 0
  return { kind: 'verified', windowId, rows }
}

function windowOf(rows: readonly Row[], current: boolean): WindowView {
  const [first] = rows
  const boundary = first !== undefined && isBoundary(first) ? first : null
  return {
    windowId: boundary === null ? 'w:0' : windowIdOfBoundary(boundary),
    kind: boundary === null ? 'root' : kindOf(boundary),
    rows: rows.length,
    bytes: JSON.stringify(rows).length,
    firstSequence: first?.metadata.historySequence ?? null,
    lastSequence: rows.at(-1)?.metadata.historySequence ?? null,
    startedAtMs: first?.metadata.timestamp ?? null,
    current
  }
}

function kindOf(boundary: Row): WindowView['kind'] {
  if (rowKindOf(boundary) === 'context-window-rollover') return 'rollover'
  return boundary.metadata.contextBoundaryKind === 'compaction' ? 'compaction' : 'reset'
}
