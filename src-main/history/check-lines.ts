// Owns looking through every line of every window for what a reader would pass over or stumble upon: damage,
// repeated ids and numbers, names of files that are not there. Reads; changes nothing.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isKnownPart, readRow, type Row } from '@common/rows/row-schema'
import { isNotFound } from '../files/file-error'
import { OPEN_READ } from '../files/file-system'
import { attachmentHashOf } from './attachments'
import { closeQuietly } from './close-quietly'
import { hashLines } from './hash-lines'
import type { HistoryFiles } from './history-files'
import { parseJsonLine } from './parse-line'
import { isSpillId } from './spill'
import { listWindows, windowPath } from './window-files'

export type LineProblem =
  | 'unparsed'
  | 'not-a-row'
  | 'oversized'
  | 'torn-tail'
  | 'unreadable-window'
  | 'duplicate-id'
  | 'duplicate-sequence'
  | 'missing-spill'
  | 'missing-attachment'
  | 'changed-attachment'

export interface LineFinding {
  readonly window: number
  readonly line: number
  readonly byteOffset: number
  /** Behind the line and its newline. */
  readonly endOffset: number
  readonly problem: LineProblem
  /** The id, number or file name that it is about; empty for a line that cannot be read. */
  readonly subject: string
}

/** More of one window explain nothing more. */
const MAX_FINDINGS_A_WINDOW = 200
const STEPS_A_TURN = 4

/** Throws the system's error. */
export async function checkLines(files: HistoryFiles): Promise<LineFinding[]> {
  const seen: Seen = { ids: new Set(), sequences: new Set(), files: new Map() }
  const findings: LineFinding[] = []
  for (const window of listWindows(files)) findings.push(...(await checkWindow(files, window, seen)))
  return findings
}

interface Seen {
  readonly ids: Set<string>
  readonly sequences: Set<number>
  /** Problem of a spill or attachment by its path, null for a good one. */
  readonly files: Map<string, LineProblem | null>
}

type Place = Pick<LineFinding, 'window' | 'line' | 'byteOffset' | 'endOffset'>

async function checkWindow(files: HistoryFiles, window: number, seen: Seen): Promise<LineFinding[]> {
  const findings: LineFinding[] = []
  const named: { place: Place; path: string; hash: string | null }[] = []
  const descriptor = files.fs.open(windowPath(files, window), OPEN_READ)
  try {
    let line = 0
    const reading = hashLines(
      files.fs,
      descriptor,
      { from: 0, to: files.fs.fstat(descriptor).size },
      {
        line({ bytes, byteOffset, byteCount, isEnded }) {
          line++
          if (byteCount === 0) return
          const place = { window, line, byteOffset, endOffset: byteOffset + byteCount + (isEnded ? 1 : 0) }
          const value = bytes === null ? undefined : parseJsonLine(bytes.toString('utf8'))
          const row = value === undefined ? null : readRow(value)
          if (row === null) {
            const problem = unreadable({ window, line, isHeld: bytes !== null, isJson: value !== undefined, isEnded })
            findings.push({ ...place, problem, subject: '' })
            return
          }
          findings.push(...repeated(row, place, seen))
          named.push(...filesOf(files, row).map((file) => ({ place, ...file })))
        }
      }
    )
    let steps = 0
    for (const _ of reading) if (++steps % STEPS_A_TURN === 0) await setImmediate()
  } finally {
    closeQuietly(files, descriptor)
  }
  for (const { place, path, hash } of named) {
    const known = seen.files.get(path)
    const problem = known === undefined ? await fileProblem(path, hash) : known
    seen.files.set(path, problem)
    if (problem !== null) findings.push({ ...place, problem, subject: path })
  }
  return findings.slice(0, MAX_FINDINGS_A_WINDOW)
}

function unreadable(line: {
  window: number
  line: number
  isHeld: boolean
  isJson: boolean
  isEnded: boolean
}): LineProblem {
  if (line.window !== 0 && line.line === 1) return 'unreadable-window'
  if (!line.isHeld) return 'oversized'
  if (!line.isEnded) return 'torn-tail'
  return line.isJson ? 'not-a-row' : 'unparsed'
}

function repeated(row: Row, place: Place, { ids, sequences }: Seen): LineFinding[] {
  const findings: LineFinding[] = []
  const { historySequence } = row.metadata
  if (ids.has(row.id)) findings.push({ ...place, problem: 'duplicate-id', subject: row.id })
  if (historySequence !== undefined && sequences.has(historySequence))
    findings.push({ ...place, problem: 'duplicate-sequence', subject: String(historySequence) })
  ids.add(row.id)
  if (historySequence !== undefined) sequences.add(historySequence)
  return findings
}

/** The spills and attachments that a row names, those of a message that was not sent too (H-12). */
function filesOf({ paths }: HistoryFiles, row: Row): { path: string; hash: string | null }[] {
  const kept = row.metadata.machine?.['parts']
  const parts = Array.isArray(kept) ? [...row.parts, ...(kept as Row['parts'])] : row.parts
  return parts.flatMap((part): { path: string; hash: string | null }[] => {
    if (!isKnownPart(part)) return []
    if (part.type === 'file') {
      const sha256 = attachmentHashOf(part.url)
      return sha256 === null ? [] : [{ path: join(paths.attachments, sha256), hash: sha256 }]
    }
    if (part.type !== 'dynamic-tool') return []
    return [part.inputSpill, part.outputSpill].flatMap((spill) =>
      spill === undefined || !isSpillId(spill.id) ? [] : [{ path: join(paths.spill, spill.id), hash: null }]
    )
  })
}

async function fileProblem(path: string, hash: string | null): Promise<LineProblem | null> {
  try {
    const bytes = await readFile(path)
    const isSame = hash === null || createHash('sha256').update(bytes).digest('hex') === hash
    return isSame ? null : 'changed-attachment'
  } catch (cause) {
    if (!isNotFound(cause)) throw cause
    return hash === null ? 'missing-spill' : 'missing-attachment'
  }
}
