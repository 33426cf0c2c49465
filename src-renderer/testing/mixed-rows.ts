// Owns a long, mixed history for tests and benchmarks of the transcript: short questions, answers of many
// lengths, tool cards, machine lines, a boundary now and then. Deterministic for a count and a seed.
import type { Row, RowPart } from '@common/rows/row-schema'
import { rowSource, step, text, toolDone } from './row-builders'
import { ANSWER, DIFF } from './sample-texts'

/** Rows as a session of weeks has them. */
export function mixedRows(count: number, prefix = 'm'): Row[] {
  const source = rowSource(prefix)
  const rows: Row[] = []
  for (let index = 0; rows.length < count; index += 1) {
    if (index % 97 === 96) rows.push(source.boundary('rollover'))
    else if (index % 23 === 22) rows.push(source.machine('continue', 'Continue with the request.'))
    else if (index % 2 === 0) rows.push(source.person(`Request ${index}: ${words(1 + (index % 7) * 3)}`))
    else rows.push(source.assistant(answerParts(index)))
  }
  return rows
}

function answerParts(index: number): RowPart[] {
  const parts: RowPart[] = [text(`Answer ${index}. ${words(6 + (index % 11) * 9)}`)]
  if (index % 3 === 0) {
    const diff = { path: `src/file-${index}.ts`, diff: DIFF, added: 6, removed: 4, replacements: 1 }
    parts.push(
      {
        ...toolDone('grep', { pattern: `needle ${index}` }, { matches: [], total: index % 40, truncated: false }),
        toolCallId: `g${index}`
      },
      { ...toolDone('file_edit', { path: diff.path, old_string: 'a', new_string: 'b' }, diff), toolCallId: `e${index}` }
    )
  }
  if (index % 5 === 0) parts.push(text(ANSWER))
  return [...parts, step(index)]
}

const WORDS = 'the window closes when the budget is spent and every row stays where a person can find it again'.split(
  ' '
)

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[(index * 7 + count) % WORDS.length]).join(' ')
}
