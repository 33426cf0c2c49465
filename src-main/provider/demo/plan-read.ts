// Owns the plans that read files: one, several, all under a folder.
import { type DemoPlan, type DemoResult, type DemoStep, callOne, whyNot } from './demo-call'
import { introductionOf, languageOf, outlineOf } from './describe-source'
import type { PlanContext } from './plan-context'
import { isReadable } from './plan-project'
import { type FileText, fileOf, outputOf } from './tool-facts'
import { bullets, code, fence, head, joined, plural } from './wording'

interface ReadIntent {
  readonly paths: readonly string[]
  readonly range: { readonly offset: number; readonly limit: number } | null
  readonly manner: 'show' | 'explain'
}

/** Lines read of each file in a window that was opened because the last one was full. */
const LIGHT_LINES = 60
/** Files that "read all" reads at most: enough to fill the demo's window. */
const MAX_FILES = 12

export function* planRead(intent: ReadIntent, { light }: PlanContext): DemoPlan {
  const range = intent.range ?? (light ? { offset: 1, limit: LIGHT_LINES } : null)
  const results = yield {
    think: `${joined(intent.paths)} ${intent.paths.length === 1 ? 'is' : 'are'} named, so I read ${intent.paths.length === 1 ? 'it' : 'them'}.`,
    say: '',
    calls: intent.paths.map((path) => ({ toolName: 'file_read', input: { path, ...range } }))
  }
  const answers: string[] = []
  for (const [index, path] of intent.paths.entries()) {
    const result = results[index] ?? { kind: 'absent' }
    const file = fileOf(result) ?? (yield* readElsewhere(path, range, result))
    answers.push(typeof file === 'string' ? file : fileText(file, intent))
  }
  return answers.join('\n\n')
}

/** A path that is not there may be the name of a file deeper down. */
function* readElsewhere(
  path: string,
  range: ReadIntent['range'],
  result: DemoResult
): Generator<DemoStep, FileText | string, readonly DemoResult[]> {
  const cannot = `I cannot read ${code(path)}: ${whyNot(result, 'file_read')}.`
  if (result.kind !== 'failed' || /denied|outside/i.test(result.message)) return cannot
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = outputOf(
    'glob',
    yield* callOne(
      { toolName: 'glob', input: { pattern: `**/${name}*` } },
      { think: `${path} is not there; perhaps a file of that name lies elsewhere.` }
    )
  )
  const other = found?.paths.find((candidate) => candidate !== path)
  if (other === undefined) return `${cannot} No file of that name is in the project.`
  const second = fileOf(
    yield* callOne({ toolName: 'file_read', input: { path: other, ...range } }, { think: `${other} has that name.` })
  )
  return second ?? `${cannot} There is ${code(other)}, but it cannot be read either.`
}

function fileText(file: FileText, intent: ReadIntent): string {
  const size = `${code(file.path)} (${languageOf(file.path)}, ${plural(file.totalLines, 'line')})`
  if (file.lines.length === 0)
    return `${size} holds no text that I can quote${file.totalLines === 0 ? ': it is empty' : ''}.`
  if (intent.manner === 'explain') return explanation(file, size)
  const { text, left } = head(file.lines, intent.range === null ? 40 : 120, 2_400)
  const last = file.firstLine + file.lines.length - left - 1
  const what = left === 0 && file.whole ? 'in full' : `lines ${file.firstLine} to ${last}`
  return `${size}, ${what}:\n\n${fence(text, fenceName(file.path))}`
}

function explanation(file: FileText, size: string): string {
  const intro = introductionOf(file.path, file.lines)
  const outline = outlineOf(file.path, file.lines, file.firstLine)
  const names = outline.slice(0, 14).map((item) => `line ${item.line}: ${code(item.name)}`)
  const imports = [
    ...new Set(
      file.lines.flatMap(
        (line) =>
          /^\s*(?:import|from|use|require|#include)\b.*?["'<]([^"'>]+)["'>]/.exec(line)?.[1] ??
          /^(?:from|import)\s+([\w.]+)/.exec(line)?.[1] ??
          []
      )
    )
  ]
  const facts = [
    ...(intro === '' ? [] : [`It says of itself: ${intro}`]),
    ...(imports.length === 0 ? [] : [`It uses ${joined(imports.slice(0, 8).map(code))}.`])
  ]
  const list =
    names.length === 0
      ? ''
      : `\n\nIn it:\n\n${bullets(names)}${outline.length > names.length ? `\n- … and ${outline.length - names.length} more` : ''}`
  const quote = names.length === 0 ? `\n\n${fence(head(file.lines, 12, 900).text, fenceName(file.path))}` : ''
  return `${size}. ${facts.join(' ')}${list}${quote}`.replace(/\. $/, '.')
}

function fenceName(path: string): string {
  return /\.(\w{1,5})$/.exec(path)?.[1] ?? ''
}

export function* planReadAll(pattern: string): DemoPlan {
  const wanted = yield* filesToRead(pattern)
  if (wanted.kind === 'none') return wanted.why
  const lines = yield* readOneByOne(wanted.paths)
  return `I read ${plural(lines.length, 'file')} matching ${code(pattern)}:\n\n${bullets(lines)}${wanted.left}`
}

type Wanted =
  | { readonly kind: 'none'; readonly why: string }
  /** `left`: what to say of those that are not read; empty where all are. */
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly left: string }

/** The text files of a pattern, by name, as many as are read for one request. */
export function* filesToRead(pattern: string): Generator<DemoStep, Wanted, readonly DemoResult[]> {
  const found = yield* callOne(
    { toolName: 'glob', input: { pattern } },
    { think: `All files under ${pattern} are wanted; I list them, then read one after the other.` }
  )
  const listing = outputOf('glob', found)
  if (listing === null) return { kind: 'none', why: `I cannot list the files: ${whyNot(found, 'glob')}.` }
  const readable = listing.paths.filter(isReadable).toSorted((a, b) => a.localeCompare(b, 'en'))
  if (readable.length === 0) return { kind: 'none', why: `There are no text files matching ${code(pattern)}.` }
  const rest = readable.length - MAX_FILES
  const left = rest > 0 ? `\n\n${plural(rest, 'more file')} I left unread.` : ''
  return { kind: 'files', paths: readable.slice(0, MAX_FILES), left }
}

/** Reads them in this order; a line on each. */
export function* readOneByOne(paths: readonly string[]): Generator<DemoStep, string[], readonly DemoResult[]> {
  const lines: string[] = []
  for (const [index, path] of paths.entries()) {
    const result = yield* callOne(
      { toolName: 'file_read', input: { path } },
      { think: `File ${index + 1} of ${paths.length}: ${path}.` }
    )
    const file = fileOf(result)
    const outline = file === null ? [] : outlineOf(path, file.lines, file.firstLine).slice(0, 4)
    lines.push(
      file === null
        ? `${code(path)}: ${whyNot(result, 'file_read')}`
        : `${code(path)}: ${plural(file.totalLines, 'line')}${outline.length === 0 ? '' : ` — ${outline.map((item) => item.name).join(', ')}`}`
    )
  }
  return lines
}
