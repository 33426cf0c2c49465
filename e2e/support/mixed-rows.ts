// Owns rows as a long coding session has them: questions, answers with code and tables, tool calls, reasoning.
// Deterministic, so that a test knows what stands where.
import type { Row } from '@common/rows/row-schema'
import { ANSWER, DIFF, EVERYTHING, TEST_OUTPUT } from '../../src-renderer/testing/sample-texts'
import { reasoning, rowSource, step, text, toolDone, type RowSource } from '../../src-renderer/testing/row-builders'

/** `count` rows; the text of row n (from 1) names it as `row-n`. A boundary stands before every `perWindow` rows. */
export function mixedRows(count: number, perWindow = Number.POSITIVE_INFINITY): Row[] {
  const source = rowSource()
  const rows: Row[] = []
  while (rows.length < count) {
    const number = rows.length + 1
    if (number > 1 && (number - 1) % perWindow === 0) rows.push(source.boundary('rollover'))
    else rows.push(rowOf(source, number))
  }
  return rows
}

function rowOf(source: RowSource, number: number): Row {
  const name = `row-${number}`
  switch (number % 8) {
    case 1:
      return source.person(`${name}: look at the receipts again, please`)
    case 3:
      return source.person(`${name}: ${'and then there is one more thing to say about it. '.repeat(number % 23)}`)
    case 5:
      return source.assistant([
        reasoning('The tail is read first, then compared.'),
        text(`${name}: I run the tests.`),
        {
          ...toolDone('bash', { command: `npm test -- ${name}` }, { exit_code: 0, output: TEST_OUTPUT }),
          toolCallId: `${name}-bash`
        },
        step(number)
      ])
    case 6:
      return source.assistant([
        {
          ...toolDone(
            'file_edit',
            { path: 'src/net/client.ts', old_string: 'a', new_string: 'b' },
            { path: 'src/net/client.ts', added: 5, removed: 4, diff: DIFF, replacements: 1 }
          ),
          toolCallId: `${name}-edit`
        },
        text(`${name}: changed.`),
        step(number)
      ])
    case 0:
      return source.assistant([text(`${name}\n\n${number % 16 === 0 ? EVERYTHING : ANSWER}`), step(number)])
    default:
      return source.assistant([
        text(`${name}: ${'a sentence of an ordinary answer. '.repeat(1 + (number % 11))}`),
        step(number)
      ])
  }
}
