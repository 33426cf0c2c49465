// Owns reading a configuration text with places: JSON with comments and trailing commas → a tree whose
// every fault has a line and a column. Pure. Messages never quote values: a value may be a key.
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** Something wrong in a configuration file, worth telling the person once. */
export interface ConfigProblem {
  /** `broken`: the file could not be read as a whole; `field`: one value was passed over. */
  readonly kind: 'broken' | 'field'
  readonly file: string
  /** From 1; 0 when the file could not be opened at all. */
  readonly line: number
  readonly column: number
  /** Dotted path of the value that was passed over, indexes as in the file; empty when the file is broken. */
  readonly path: string
  /** One sentence with file, place and what is done about it. */
  readonly message: string
}

export interface Place {
  readonly line: number
  readonly column: number
}

export type ConfigText =
  | { readonly ok: true; readonly root: Node }
  | { readonly ok: false; readonly place: Place; readonly why: string }

const WHY: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is a word that is not JSON',
  InvalidNumberFormat: 'a number is malformed',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  InvalidCharacter: 'there is a character that is not allowed'
}

/** Nesting beyond this is no configuration; a recursive reader would run out of stack. */
const MAX_DEPTH = 100

/** Parses `text`; an empty or blank one counts as `{}`. A root that is no object is broken. */
export function parseConfigText(text: string): ConfigText {
  const body = withoutMark(text)
  if (body.trim() === '') return { ok: true, root: { type: 'object', offset: 0, length: 0, children: [] } }
  if (depthOf(body) > MAX_DEPTH) return { ok: false, place: { line: 1, column: 1 }, why: 'it is nested too deeply' }
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const first = errors[0]
  if (first !== undefined) {
    return {
      ok: false,
      place: placeAt(text, first.offset),
      why: WHY[printParseErrorCode(first.error)] ?? 'it is not valid JSON'
    }
  }
  if (root === undefined || root.type !== 'object') {
    return { ok: false, place: placeAt(text, root?.offset ?? 0), why: 'it must hold one JSON object' }
  }
  return { ok: true, root }
}

/** The text with a byte order mark, which JSON does not allow, as a space: offsets stay the same. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text
}

/** Line and column (both from 1, in UTF-16 units) of an offset. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: offset - lastBreak }
}

/** Deepest nesting of brackets outside strings; an upper bound is enough, so comments count too. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[[{]|[\]}]/g)) {
    if (match[0] === '[' || match[0] === '{') deepest = Math.max(deepest, ++depth)
    else if (match[0] === ']' || match[0] === '}') depth--
  }
  return deepest
}
