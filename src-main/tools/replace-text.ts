// Owns an exact replacement in a file's bytes. Pure. Bytes, not text: what is not UTF-8 stays as it is,
// and nothing in the replacement is special. Line endings of the file are kept.
import { err, ok, type Result } from '@common/result'

export interface Replacement {
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
}

export interface Replaced {
  readonly bytes: Buffer
  readonly replacements: number
  /** Set when the file's line endings differ from those that were written. */
  readonly note: string | null
}

/** Line numbers that an error names at most. */
const MAX_NAMED_LINES = 10

/** Replaces once, or everywhere with `replaceAll`. Fails with words for the model. */
export function replaceText(path: string, bytes: Buffer, change: Replacement): Result<Replaced, string> {
  if (change.oldString === change.newString) return err('old_string and new_string are the same: nothing would change.')
  const form = formThatMatches(bytes, change)
  if (form.at.length === 0) return err(`old_string was not found in ${path}. ${nearHint(bytes, change.oldString)}`)
  if (form.at.length > 1 && !change.replaceAll)
    return err(
      `old_string was found ${form.at.length} times in ${path}, at lines ${linesOf(bytes, form.at)}. ` +
        'Give more of the text around it, or set replace_all.'
    )
  const pieces: Buffer[] = []
  let from = 0
  for (const at of form.at) {
    pieces.push(bytes.subarray(from, at), form.new)
    from = at + form.old.length
  }
  const replaced = Buffer.concat([...pieces, bytes.subarray(from)])
  return ok({ bytes: replaced, replacements: form.at.length, note: form.note })
}

interface Form {
  readonly old: Buffer
  readonly new: Buffer
  readonly at: number[]
  readonly note: string | null
}

/** The text as written, else with the other kind of line ending. */
function formThatMatches(bytes: Buffer, { oldString, newString }: Replacement): Form {
  const isCrlf = usesCrlfOnly(bytes)
  const asWritten = formOf(bytes, oldString, isCrlf ? toCrlf(newString) : newString)
  if (asWritten.at.length > 0 || !oldString.includes('\n')) {
    const kept = isCrlf && toCrlf(newString) !== newString
    return kept ? { ...asWritten, note: 'The line endings of the file (CRLF) were kept.' } : asWritten
  }
  const crlf = formOf(bytes, toCrlf(oldString), toCrlf(newString))
  if (crlf.at.length > 0) return { ...crlf, note: 'The line endings of the file (CRLF) were kept.' }
  const lf = formOf(bytes, toLf(oldString), toLf(newString))
  return lf.at.length > 0 ? { ...lf, note: 'The line endings of the file (LF) were kept.' } : asWritten
}

function formOf(bytes: Buffer, oldString: string, newString: string): Form {
  const old = Buffer.from(oldString)
  const at: number[] = []
  for (let next = bytes.indexOf(old); next !== -1; next = bytes.indexOf(old, next + old.length)) at.push(next)
  return { old, new: Buffer.from(newString), at, note: null }
}

function usesCrlfOnly(bytes: Buffer): boolean {
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at - 1] !== 0x0d) return false
    lines++
  }
  return lines > 0
}

function toLf(text: string): string {
  return text.replace(/\r\n/g, '\n')
}

function toCrlf(text: string): string {
  return toLf(text).replace(/\n/g, '\r\n')
}

function linesOf(bytes: Buffer, offsets: readonly number[]): string {
  const named: number[] = []
  let [line, from] = [1, 0]
  for (const offset of offsets.slice(0, MAX_NAMED_LINES)) {
    for (let at = bytes.indexOf(0x0a, from); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
      line++
      from = at + 1
    }
    named.push(line)
  }
  return named.join(', ') + (offsets.length > MAX_NAMED_LINES ? ', …' : '')
}

/** What the model most likely meant: the same lines with other white space, or where its first line is. */
function nearHint(bytes: Buffer, oldString: string): string {
  const lines = bytes.toString('utf8').split('\n')
  const wanted = oldString.split('\n').map(squeeze)
  const first = wanted.findIndex((line) => line !== '')
  if (first === -1) return 'It is only white space.'
  const starts = lines.flatMap((line, index) => (squeeze(line) === wanted[first] ? [index - first] : []))
  const same = starts.find((start) => wanted.every((line, index) => squeeze(lines[start + index] ?? '') === line))
  if (same !== undefined)
    return `The same lines with other white space begin at line ${same + 1}: read them again and copy them exactly.`
  const shown = starts.slice(0, MAX_NAMED_LINES).map((start) => start + first + 1)
  if (shown.length > 0) return `Its first line is at line ${shown.join(', ')}; what follows there differs.`
  return 'Read the file again: it may have changed, or the text is elsewhere.'
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}
