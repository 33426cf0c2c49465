// Owns what a call of the memory tool changed, as a unified diff made from its input: the tool stores no diff. Pure.
import { textField } from './tool-fields'

/** The diff of a create, str_replace or insert whose first changed line is `line`; null for anything else. */
export function memoryDiff(input: unknown, line: number): string | null {
  const removed = textField(input, 'old_str')
  const added = textField(input, 'file_text') ?? textField(input, 'new_str') ?? textField(input, 'insert_text')
  if (removed === null && added === null) return null
  const lines = [...signed('-', removed ?? ''), ...signed('+', added ?? '')]
  return [`@@ -${line} +${line} @@`, ...lines].join('\n')
}

function signed(sign: string, text: string): string[] {
  if (text === '') return []
  return text
    .replace(/\n$/u, '')
    .split('\n')
    .map((line) => sign + line)
}
