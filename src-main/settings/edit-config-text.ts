// Owns changing one value in a configuration text and nothing else: comments, order, unknown fields and
// layout stay. Pure.
import { type JSONPath, applyEdits, modify } from 'jsonc-parser'
import { parseConfigText, withoutMark } from './config-text'

/** One change; an undefined value removes the property or the array element. */
export interface ConfigChange {
  readonly path: JSONPath
  readonly value: unknown
}

/** Applies `changes` in order to a text that parses. A text that no longer would is a bug and throws. */
export function editConfigText(text: string, changes: readonly ConfigChange[]): string {
  let body = withoutMark(text)
  if (body.trim() === '') body = '{}\n'
  const formattingOptions = layoutOf(body)
  for (const { path, value } of changes) {
    if (value === undefined && !exists(body, path)) continue
    body = applyEdits(body, modify(body, path, value, { formattingOptions }))
  }
  if (!parseConfigText(body).ok) throw new Error('editConfigText: the edit would break the file')
  return text.charCodeAt(0) === 0xfeff ? `\ufeff${body.slice(1)}` : body
}

function exists(body: string, path: JSONPath): boolean {
  const parsed = parseConfigText(body)
  if (!parsed.ok) return false
  let node = parsed.root
  for (const key of path) {
    const child =
      typeof key === 'number'
        ? node.children?.[key]
        : node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1]
    if (child === undefined) return false
    node = child
  }
  return true
}

/** The file's own indentation and line ends; two spaces where it has none. */
function layoutOf(body: string): { insertSpaces: boolean; tabSize: number; eol: string; insertFinalNewline: boolean } {
  const indent = /\n([ \t]+)"/.exec(body)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: Math.min(indent.length, 8),
    eol: body.includes('\r\n') ? '\r\n' : '\n',
    insertFinalNewline: true
  }
}
