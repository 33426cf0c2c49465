// Owns reading the YAML front matter of a Markdown file: its fields, its body, and the line of what is wrong.
import { err, ok, type Result } from '@common/result'
import { isNode, LineCounter, parseDocument, type Document } from 'yaml'
import type { z } from 'zod'

export interface FrontMatter {
  /** Plain JSON-like data. */
  readonly data: unknown
  readonly body: string
  /** Line in the file, from 1, of the field at this path; of the front matter when it is not there. */
  lineOf(path: readonly PropertyKey[]): number
}

export interface FrontMatterProblem {
  readonly line: number
  readonly message: string
}

/** Line of the file on which the YAML begins. */
const FIRST_LINE = 2

const FENCE = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m

/** Takes a file's text apart. Never throws, whatever the text holds. */
export function readFrontMatter(text: string): Result<FrontMatter, FrontMatterProblem> {
  const match = FENCE.exec(text)
  if (match === null || match.index !== 0)
    return err({ line: 1, message: 'it does not begin with front matter between two lines of ---' })
  const lines = new LineCounter()
  try {
    const document = parseDocument(match[1] ?? '', {
      lineCounter: lines,
      uniqueKeys: true,
      strict: true,
      prettyErrors: false,
      logLevel: 'silent'
    })
    const [fault] = document.errors
    if (fault !== undefined)
      return err({ line: lines.linePos(fault.pos[0]).line + FIRST_LINE - 1, message: firstLine(fault.message) })
    // No aliases beyond a few: a file of some bytes could stand for gigabytes.
    const data: unknown = document.toJS({ maxAliasCount: 20 })
    return ok({ data, body: text.slice(match[0].length), lineOf: (path) => lineIn(document, lines, path) })
  } catch (cause) {
    // The parser throws for what it will not build: too many aliases, nesting beyond the stack.
    const message = cause instanceof Error ? firstLine(cause.message) : 'it cannot be read'
    return err({ line: FIRST_LINE, message })
  }
}

/** The fields as `schema` takes them; what is wrong is told with its field and line. */
export function fieldsOf<T>(schema: z.ZodType<T>, { data, lineOf }: FrontMatter): Result<T, FrontMatterProblem> {
  const fields = schema.safeParse(data ?? {})
  if (fields.success) return ok(fields.data)
  const [issue] = fields.error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  const message = `${field === '' ? '' : `${field}: `}${issue?.message ?? 'not valid'}`
  return err({ line: lineOf(issue?.path ?? []), message })
}

function lineIn(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line + FIRST_LINE - 1
  }
  return FIRST_LINE
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200)
}
