// Owns what the first line of a window's file says (S-3): how the window began, and whether no agent may look behind it.
import { MAX_LINE_BYTES, SCAN_STEP_BYTES } from '@common/constants'
import { windowIdOf } from '@common/ids'
import { boundaryNatureOf } from '@common/rows/rollover-row'
import { openIfThere } from '../files/open-if-there'
import type { HistoryFiles } from '../history/history-files'
import { parseJsonLine, rowOfValue } from '../history/parse-line'
import { NEWLINE } from '../history/read-lines'
import { ROOT_WINDOW, windowPath } from '../history/window-files'

export interface WindowHead {
  readonly windowId: string
  readonly kind: 'root' | 'rollover' | 'compaction' | 'reset'
  /** A person's reset, also a damaged one: what is older is closed to agents. */
  readonly isFloor: boolean
  /** Of the boundary row, null where it has none or cannot be read. */
  readonly sequence: number | null
}

/** Most boundary rows are short. */
const FIRST_STEP_BYTES = 4_096
/** Longer than either needle with spaces in it: what is carried over a step's border. */
const OVERLAP_CHARS = 128
/** A message id that is not fit to be copied is not made part of a window's id. */
const MAX_MESSAGE_ID_CHARS = 100

/** Throws the system's error. A file that is not there reads as empty. */
export function readWindowHead(files: HistoryFiles, window: number): WindowHead {
  const descriptor = openIfThere(files.fs, windowPath(files, window))
  if (descriptor === null) return headOf(window, 'root', false)
  try {
    const line = readFirstLine(files, descriptor)
    return line === null ? damagedHead(window, evidenceInLongLine(files, descriptor)) : headOfLine(window, line)
  } finally {
    files.fs.close(descriptor)
  }
}

/** How a line that does not parse counts: by the needles in it, the rollover's only where it stands before the reset's. */
export type Evidence = 'reset' | 'rollover' | 'compaction' | 'none'

const RESET = /"contextBoundaryKind"\s*:\s*(?:"reset"|"?r?e?s?e?t?$)/
const ROLLOVER = /"type"\s*:\s*"context-window-rollover"/
const COMPACTION = /"contextBoundaryKind"\s*:\s*"compaction"/

export function evidenceOf(text: string): Evidence {
  const reset = text.search(RESET)
  if (reset === -1) return COMPACTION.test(text) ? 'compaction' : 'none'
  const rollover = text.search(ROLLOVER)
  return rollover !== -1 && rollover < reset ? 'rollover' : 'reset'
}

function headOfLine(window: number, line: string): WindowHead {
  const value = parseJsonLine(line)
  if (value === undefined) return damagedHead(window, evidenceOf(line))
  const nature = boundaryNatureOf(value)
  const row = rowOfValue(value)
  const sequence = row?.metadata.historySequence ?? null
  if (nature === null) return { ...headOf(window, 'root', false), sequence }
  const isNamedByMessage = row !== null && sequence === null && row.id.length <= MAX_MESSAGE_ID_CHARS
  return {
    windowId: isNamedByMessage && window !== ROOT_WINDOW ? `w:m:${row.id}` : windowIdOf(window),
    kind: nature === 'manual' ? 'reset' : nature,
    isFloor: nature === 'manual',
    sequence
  }
}

function damagedHead(window: number, evidence: Evidence): WindowHead {
  if (evidence === 'none') return headOf(window, 'root', false)
  return headOf(window, evidence, evidence === 'reset')
}

function headOf(window: number, kind: WindowHead['kind'], isFloor: boolean): WindowHead {
  return { windowId: windowIdOf(window), kind, isFloor, sequence: null }
}

/** The first line, or null when it is longer than a row may be. */
function readFirstLine({ fs }: HistoryFiles, descriptor: number): string | null {
  let bytes = Buffer.alloc(0)
  for (let step = FIRST_STEP_BYTES; bytes.length <= MAX_LINE_BYTES; step = Math.min(step * 2, SCAN_STEP_BYTES)) {
    const next = Buffer.allocUnsafe(step)
    const count = fs.read(descriptor, next, 0, step, bytes.length)
    const newline = next.subarray(0, count).indexOf(NEWLINE)
    bytes = Buffer.concat([bytes, next.subarray(0, newline === -1 ? count : newline)])
    if (newline !== -1 || count === 0) return bytes.length > MAX_LINE_BYTES ? null : bytes.toString('utf8')
  }
  return null
}

/** Reads a line of any length in steps, holding one. */
function evidenceInLongLine({ fs }: HistoryFiles, descriptor: number): Evidence {
  const step = Buffer.allocUnsafe(SCAN_STEP_BYTES)
  let carried = ''
  let isRolloverSeen = false
  let isCompaction = false
  for (let at = 0; ;) {
    const count = fs.read(descriptor, step, 0, step.length, at)
    const newline = step.subarray(0, count).indexOf(NEWLINE)
    const isEnd = newline !== -1 || count === 0
    // A needle that is cut short counts at the end of the line only, so elsewhere something stands behind it.
    const text = `${carried}${step.toString('latin1', 0, newline === -1 ? count : newline)}${isEnd ? '' : ' '}`
    const evidence = evidenceOf(text)
    if (evidence === 'rollover' || (evidence === 'reset' && isRolloverSeen)) return 'rollover'
    if (evidence === 'reset') return 'reset'
    isRolloverSeen ||= ROLLOVER.test(text)
    isCompaction ||= evidence === 'compaction'
    if (isEnd) return isCompaction ? 'compaction' : 'none'
    carried = text.slice(-OVERLAP_CHARS, -1)
    at += count
  }
}
