// Owns what the meter shows before a request was sent in this run: the figures that history holds (E-3). Pure.
import { ledgerFromRows } from '@common/budget/usage-ledger'
import type { UsageView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import { isBoundary } from '@common/rows/boundaries'
import { readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { usageViewOf } from './usage-view'

/** What the meter shows: what this run measured (`measured`), else what the newest rows say of the window in force. */
export function meterOf(
  lines: string,
  measured: UsageView | null,
  {
    file,
    windowId,
    modelInfo
  }: { file: { model: string }; windowId: string; modelInfo(modelRef: string): ModelInfo | null }
): UsageView | null {
  if (measured?.model === file.model && measured.windowId === windowId) return measured
  const info = modelInfo(file.model)
  return info === null ? null : usageFromPage(lines, windowId, info)
}

/**
 * The window's fill from the newest rows of the history, as the page of them says (JSONL, oldest first).
 * Null where these rows hold no step of this window by this model: then nothing is claimed.
 */
export function usageFromPage(lines: string, windowId: string, info: ModelInfo): UsageView | null {
  const rows = lines.split('\n').flatMap((line): Row[] => {
    const row = line === '' ? null : readRow(JSON.parse(line))
    return row === null ? [] : [row]
  })
  const windowRows = rows.slice(Math.max(0, rows.findLastIndex(isBoundary)))
  const ledger = ledgerFromRows(windowId, info.ref, windowRows)
  if (ledger.measuredTokens === null) return null
  const last = windowRows.findLast((row) => row.metadata.contextUsage !== undefined)
  return usageViewOf(ledger, info, last?.metadata.contextUsage ?? null)
}
