// Owns reading our own JSONL back: every line that is a row stays byte for byte what it was, unless its
// sequence cannot be kept.
import { MAX_LINE_BYTES } from '@common/constants'
import { isBoundary } from '@common/rows/boundaries'
import type { FileSystem } from '../files/file-system'
import { assignSequences, type FoundSequence, usableSequence } from './assign-sequences'
import type { ImportedLine, ImportPlan } from './import-windows'
import { parseJsonLine, parseLine } from './parse-line'
import { readTextLines } from './read-text-lines'

/** Reads the file twice: first the sequences, then the lines. Throws the system's error. */
export async function planTidemarkImport(fs: FileSystem, path: string): Promise<ImportPlan> {
  const found: FoundSequence[] = []
  let skipped = 0
  for await (const line of readTextLines(fs, path, MAX_LINE_BYTES)) {
    const parsed = line === null ? null : parseLine(line)
    if (parsed?.ok !== true) skipped++
    else
      found.push({ sequence: usableSequence(parsed.row.metadata.historySequence), isBoundary: isBoundary(parsed.row) })
  }
  return { lines: numberedLines(fs, path, assignSequences(found)), skipped: () => skipped }
}

async function* numberedLines(
  fs: FileSystem,
  path: string,
  assigned: readonly (number | null)[]
): AsyncGenerator<ImportedLine> {
  let at = 0
  for await (const line of readTextLines(fs, path, MAX_LINE_BYTES)) {
    const parsed = line === null ? null : parseLine(line)
    if (line === null || parsed?.ok !== true) continue
    const sequence = assigned[at++] ?? null
    const isKept = sequence === (parsed.row.metadata.historySequence ?? null)
    yield { line: isKept ? line : renumbered(line, sequence), window: isBoundary(parsed.row) ? sequence : null }
  }
}

/** The line with another sequence or none; everything else, also what we do not know, as it was. */
function renumbered(line: string, sequence: number | null): string {
  const value = parseJsonLine(line)
  if (!isFields(value)) return line
  const metadata = isFields(value['metadata']) ? value['metadata'] : {}
  const { historySequence: _old, ...kept } = metadata
  return JSON.stringify({
    ...value,
    metadata: sequence === null ? kept : { ...kept, historySequence: sequence }
  })
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
