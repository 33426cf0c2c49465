// Owns what the meter shows before a request was sent in this run: the figures that history holds (E-3). Pure.
import { budgetModeOf } from '@common/budget/budget-mode'
import { budgetPointsOf } from '@common/budget/budget-points'
import { ledgerFromRows } from '@common/budget/usage-ledger'
import type { UsageView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf } from '@common/rows/row-kinds'
import { readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import type { Settings } from '@common/settings/settings-schema'
import { strategyFor } from '../context/strategy-for'
import { type MeterMarks, usageViewOf } from './usage-view'

/** What the meter shows: what this run measured (`measured`), else what the newest rows say of the window in force. */
export function meterOf(
  lines: string,
  measured: UsageView | null,
  { file, windowId, modelInfo, settings }: MeterPlace
): UsageView | null {
  if (measured?.model === file.model && measured.windowId === windowId) return measured
  const info = modelInfo(file.model)
  if (info === null) return null
  const mode = budgetModeOf({ settings: settings(), modelRef: file.model, experiments: undefined })
  const marks = { points: budgetPointsOf(info, mode.threshold), strategy: strategyFor(mode) }
  return usageFromPage(lines, { windowId, info, measuredFrom: file.measuredFrom, ...marks })
}

interface MeterPlace {
  readonly file: { readonly model: string; readonly measuredFrom: number }
  readonly windowId: string
  modelInfo(modelRef: string): ModelInfo | null
  settings(): Settings
}

interface WindowMeter extends MeterMarks {
  readonly windowId: string
  readonly info: ModelInfo
  readonly measuredFrom: number
}

/**
 * The window's fill from the newest rows of the history, as the page of them says (JSONL, oldest first).
 * Null where these rows hold no step of this window by this model: then nothing is claimed.
 */
export function usageFromPage(
  lines: string,
  { windowId, info, measuredFrom, ...marks }: WindowMeter
): UsageView | null {
  const windowRows = newestRowsOf(lines)
  const ledger = ledgerFromRows(windowId, info.ref, windowRows, measuredFrom)
  if (ledger.measuredTokens === null) return null
  const last = windowRows.findLast((row) => row.metadata.contextUsage !== undefined)
  return usageViewOf(ledger, info, { ...marks, lastUsage: last?.metadata.contextUsage ?? null })
}

/**
 * Rows from the window's boundary on, oldest first, as far as they can matter to the meter: opening a workspace
 * waits for this, so a line behind the newest step is parsed only where it may hold a figure or be the boundary.
 */
function newestRowsOf(lines: string): Row[] {
  const rows: Row[] = []
  let [hasStep, hasFigure] = [false, false]
  for (const line of lines.split('\n').toReversed()) {
    if (line === '' || (hasStep && !MAY_MATTER.test(line))) continue
    const row = readRow(JSON.parse(line))
    if (row === null) continue
    rows.unshift(row)
    if (rowKindOf(row) === 'assistant') hasStep ||= row.parts.some((part) => part.type === 'step')
    hasFigure ||= row.metadata.contextUsage !== undefined
    if (isBoundary(row) || (hasStep && hasFigure)) break
  }
  return rows
}

/** Words of a figure's and of a boundary's metadata; a text that quotes them only costs a parse. */
const MAY_MATTER = /"(?:contextUsage|contextBoundaryKind|context-window-rollover)"/
