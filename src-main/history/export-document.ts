// Owns export: the whole history as text, a few hundred kilobytes at a time.
import { type ParsedLine, parseLine } from './parse-line'
import type { DamageReport } from './damage-report'
import type { HistoryStore } from './history-store'
import { markdownHead, markdownOfRow } from './export-markdown'

export type ExportFormat = 'markdown' | 'jsonl'

export interface ExportRequest {
  readonly format: ExportFormat
  /** First heading of the Markdown. */
  readonly title: string
}

export interface ExportSummary {
  readonly rows: number
  /** Damaged lines: they are left out, and stay on disk. */
  readonly damage: DamageReport
}

/**
 * Yields the document; returns what was exported. JSONL is every readable line exactly as stored, so that an
 * import of it gives the same history. Throws the system's error.
 */
export async function* exportDocument(
  store: Pick<HistoryStore, 'exportBatches'>,
  { format, title }: ExportRequest
): AsyncGenerator<string, ExportSummary, void> {
  const batches = store.exportBatches()
  let rows = 0
  if (format === 'markdown') yield markdownHead(title)
  for (;;) {
    const next = await batches.next()
    if (next.done === true) {
      if (format === 'markdown' && next.value.total > 0)
        yield `\n---\n\n*${next.value.total} damaged lines were left out.*\n`
      return { rows, damage: next.value }
    }
    rows += next.value.lines.length
    yield next.value.lines.map((line) => (format === 'jsonl' ? `${line}\n` : markdownOf(parseLine(line)))).join('')
  }
}

function markdownOf(parsed: ParsedLine): string {
  return parsed.ok ? markdownOfRow(parsed.row) : ''
}
