// Owns what the memory tool does to a text: numbered lines, an exact replacement, an insertion. Pure.
// Line endings of the text are kept; lines count as `view` numbers them.
import { err, ok, type Result } from '@common/result'
import { headWithin, jsonBytes } from './json-bytes'

export interface LineView {
  /** Lines, each as `number<TAB>text`. */
  readonly content: string
  readonly firstLine: number
  readonly lastLine: number
  readonly totalLines: number
}

/** Line numbers that an error names at most. */
const MAX_NAMED_LINES = 10

/** Lines of a text without their endings; a last line break ends the last line and begins none. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The lines from `first` to `last` (from 1, both included; -1 is the last one), as many as take `maxJsonBytes`.
 * Fails with words for the model.
 */
export function viewLines(
  text: string,
  range: readonly number[] | null,
  maxJsonBytes: number
): Result<LineView, string> {
  const lines = linesOf(text)
  const [first = 1, wantedLast = -1] = range ?? []
  const last = wantedLast === -1 ? lines.length : Math.min(wantedLast, lines.length)
  if (first < 1 || (wantedLast !== -1 && wantedLast < first) || first > Math.max(1, lines.length))
    return err(`view_range [${first}, ${wantedLast}] is not within the ${lines.length} lines of the file.`)
  const shown: string[] = []
  let left = maxJsonBytes
  for (const [index, line] of lines.slice(first - 1, last).entries()) {
    const numbered = `${first + index}\t${line}`
    left -= jsonBytes(numbered)
    if (left < 0 && shown.length > 0) break
    shown.push(left < 0 ? `${headWithin(numbered, maxJsonBytes)} […]` : numbered)
  }
  const lastLine = shown.length === 0 ? 0 : first + shown.length - 1
  return ok({
    content: shown.join('\n'),
    firstLine: shown.length === 0 ? 0 : first,
    lastLine,
    totalLines: lines.length
  })
}

export interface TextChange {
  readonly text: string
  /** The first line that changed. */
  readonly line: number
}

/** Puts `newText` in the place of `oldText`, which must be there exactly once. */
export function replaceOnce(text: string, oldText: string, newText: string, path: string): Result<TextChange, string> {
  const isCrlf = usesCrlf(text)
  const [source, old, now] = isCrlf ? [toLf(text), toLf(oldText), toLf(newText)] : [text, oldText, newText]
  const at = placesOf(source, old)
  const lines = at.slice(0, MAX_NAMED_LINES).map((index) => lineAt(source, index))
  if (at.length === 0)
    return err(
      `No replacement was made: old_str does not appear verbatim in ${path}. View the file and copy it exactly.`
    )
  if (at.length > 1)
    return err(
      `No replacement was made: old_str appears ${at.length} times in ${path}, at lines ${lines.join(', ')}. Give more of the text around it.`
    )
  const start = at[0] ?? 0
  const replaced = source.slice(0, start) + now + source.slice(start + old.length)
  return ok({ text: isCrlf ? toCrlf(replaced) : replaced, line: lines[0] ?? 1 })
}

/** Puts lines behind line `after`; 0 is the beginning. */
export function insertLines(text: string, after: number, insertText: string): Result<TextChange, string> {
  const total = linesOf(text).length
  if (!Number.isInteger(after) || after < 0 || after > total)
    return err(`insert_line ${after} is not within the lines of the file: 0 to ${total}.`)
  const isCrlf = usesCrlf(text)
  const source = isCrlf ? toLf(text) : text
  const at = offsetAfter(source, after)
  const before = source.slice(0, at)
  const glue = before === '' || before.endsWith('\n') ? '' : '\n'
  const inserted = insertText.endsWith('\n') ? insertText : `${insertText}\n`
  const changed = before + glue + toLf(inserted) + source.slice(at)
  return ok({ text: isCrlf ? toCrlf(changed) : changed, line: after + 1 })
}

/** Overlapping places count too: replacing one would be a guess. */
function placesOf(text: string, piece: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) places.push(at)
  return places
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function offsetAfter(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end + 1
  }
  return at
}

function usesCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text)
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function toCrlf(text: string): string {
  return toLf(text).replaceAll('\n', '\r\n')
}
