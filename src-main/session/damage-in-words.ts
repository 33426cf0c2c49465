// Owns how damage in a history is told: once, counted, with what became of it (H-3). Pure.
import type { DamageProblem, DamageReport } from '../history/damage-report'

const WORDS: Readonly<Record<DamageProblem, string>> = {
  unparsed: 'a line that does not parse',
  'not-a-row': 'a line that is no message',
  oversized: 'a line that is too long to read',
  'torn-tail': 'a line that was cut short',
  'unreadable-window': 'a window whose first line does not parse'
}

/** One sentence for a report, or nothing for a whole history. */
export function damageInWords(report: DamageReport): string[] {
  const first = report.places[0]
  if (first === undefined) return []
  const file = `windows/${first.windowId.replace(':', '-')}.jsonl`
  const others =
    report.total === 1 ? '' : ` and ${report.total - 1} more damaged ${report.total === 2 ? 'place' : 'places'}`
  return [
    `The history holds ${WORDS[first.problem]} (${file}, byte ${first.byteOffset})${others}; ` +
      'it is kept on disk as it is and everything else is shown.'
  ]
}
