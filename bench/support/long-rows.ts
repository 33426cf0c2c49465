// Owns rows of a long session at the size that real ones have: mixed rows, a third of the answers with the output of
// a command.
import type { Row } from '@common/rows/row-schema'
import { mixedRows } from '../../src-renderer/testing/mixed-rows'
import { toolDone } from '../../src-renderer/testing/row-builders'

const LINE = 'src/history/append-receipt.ts:42:  const receipt = await readReceipt(path) // nothing was lost\n'
/** With this the average row takes 1.7 KB. */
const OUTPUT_LINES = 60

/** `count` rows; ids begin with `prefix`. */
export function longRows(count: number, prefix: string): Row[] {
  return mixedRows(count, prefix).map((row, index) =>
    index % 6 === 1 && row.role === 'assistant' ? withOutput(row) : row
  )
}

function withOutput(row: Row): Row {
  const output = { exit_code: 0, output: LINE.repeat(OUTPUT_LINES), truncated: false, timed_out: false }
  const call = {
    ...toolDone('bash', { command: `grep -rn receipt src # ${row.id}` }, output),
    toolCallId: `b-${row.id}`
  }
  return { ...row, parts: [...row.parts.slice(0, -1), call, ...row.parts.slice(-1)] }
}
