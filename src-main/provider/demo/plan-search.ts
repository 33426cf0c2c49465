// Owns the plans that search: for a name or text, and for the words of a request that was not understood.
import { type DemoPlan, callOne, whyNot } from './demo-call'
import { fileOf, outputOf } from './tool-facts'
import { bullets, code, fence, plural } from './wording'

interface Match {
  readonly path: string
  readonly line: number
  readonly text: string
}

const MAX_SHOWN = 14

export function* planSearch(intent: { term: string; glob: string | null; definition: boolean }): DemoPlan {
  const { term, glob } = intent
  const input = { pattern: term, literal: true, ...(glob === null ? {} : { glob }) }
  const first = yield* callOne(
    { toolName: 'grep', input },
    { think: `The project can be searched for ${term} word for word.` }
  )
  let found = outputOf('grep', first)
  if (found === null) return `I cannot search: ${whyNot(first, 'grep')}.`
  if (found.total === 0) {
    const again = yield* callOne(
      { toolName: 'grep', input: { ...input, ignore_case: true } },
      { think: 'No match. Perhaps it is written in other letters.' }
    )
    found = outputOf('grep', again) ?? found
  }
  const where = glob === null ? '' : ` in ${code(glob)}`
  if (found.total === 0) return `Nothing in the project matches ${code(term)}${where}, in upper or lower case.`
  const files = new Set(found.matches.map((match) => match.path))
  const start = `${code(term)} is there **${plural(found.total, 'time')}**${where}, in ${plural(files.size, 'file')}${found.truncated ? ' of those listed' : ''}.`
  const definition = found.matches.find((match) => isDefinition(match, term))
  const list = matchList(found.matches, found.total)
  if (definition === undefined) return `${start}\n\n${list}`
  const said = `${start} It is defined in ${code(`${definition.path}:${definition.line}`)}`
  if (!intent.definition) return `${said}.\n\n${list}`
  const around = yield* callOne(
    { toolName: 'file_read', input: { path: definition.path, offset: Math.max(1, definition.line - 2), limit: 14 } },
    { think: `${definition.path}:${definition.line} reads like its definition; I look at it.` }
  )
  const file = fileOf(around)
  return file === null
    ? `${said}.\n\n${list}`
    : `${said}:\n\n${fence(file.lines.join('\n'), /\.(\w{1,5})$/.exec(file.path)?.[1] ?? '')}\n\n${list}`
}

export function isDefinition({ text }: Match, term: string): boolean {
  const name = term.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(
    String.raw`\b(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|func|module)\s+(?:\([^)]*\)\s*)?${name}(?![\w$])`
  ).test(text)
}

export function matchList(matches: readonly Match[], total: number): string {
  const shown = matches.slice(0, MAX_SHOWN).map(({ path, line, text }) => {
    const clean = text.trim()
    return `${code(`${path}:${line}`)} ${code(clean.length > 140 ? `${clean.slice(0, 140)}…` : clean || ' ')}`
  })
  return `${bullets(shown)}${total > shown.length ? `\n- … and ${total - shown.length} more` : ''}`
}
