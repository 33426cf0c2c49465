// Owns histories to search in benchmarks: windows that begin with rollovers, so that an agent may see all of them,
// rows of the sizes that real sessions have, and one needle in the very first row.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { NewRow } from '../../src-common/rows/row-schema'
import { syntheticRow } from './synthetic-history'

export const NEEDLE = 'zebra-crossing'

export interface SearchedHistory {
  readonly dir: string
  readonly windows: readonly string[]
  readonly bytes: number
  readonly rows: number
}

/** Writes windows of about `windowBytes` below `dir` until there are `totalBytes`. */
export function writeSearchHistory(dir: string, totalBytes: number, windowBytes: number): SearchedHistory {
  const folder = join(dir, 'windows')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const windows: string[] = []
  let [sequence, bytes] = [0, 0]
  while (bytes < totalBytes) {
    const isRoot = windows.length === 0
    const path = join(folder, `w-${isRoot ? 0 : sequence + 1}.jsonl`)
    const descriptor = openSync(path, 'w', 0o600)
    let written = 0
    let lines: string[] = []
    const flush = (): void => {
      written += writeSync(descriptor, lines.join(''))
      lines = []
    }
    if (!isRoot) lines.push(`${JSON.stringify(rolloverRow(++sequence))}\n`)
    for (let gathered = 0; written + gathered < Math.min(windowBytes, totalBytes - bytes);) {
      sequence++
      const row = syntheticRow(sequence, sequence)
      const line = `${JSON.stringify(sequence === 1 ? { ...row, parts: [{ type: 'text', text: NEEDLE }] } : row)}\n`
      lines.push(line)
      gathered += line.length
      if (gathered > 1_000_000) {
        flush()
        gathered = 0
      }
    }
    flush()
    closeSync(descriptor)
    windows.push(path)
    bytes += written
  }
  return { dir, windows, bytes, rows: sequence }
}

/** The boundary row of a rollover, in the form that counts as automatic. */
export function rolloverRow(historySequence: number): NewRow {
  const rolloverId = `r-${historySequence}`
  return {
    id: `boundary-${historySequence}`,
    role: 'assistant',
    parts: [],
    metadata: {
      synthetic: true,
      machine: {
        type: 'context-window-rollover',
        rolloverId,
        reason: 'on-send',
        previousWindowId: 'w:0',
        flushOpportunity: true,
        contextTokens: 100_000,
        maxTokens: 200_000
      },
      contextBoundaryKind: 'reset',
      timestamp: 1_790_000_000_000 + historySequence,
      historySequence
    }
  }
}
