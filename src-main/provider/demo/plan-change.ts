// Owns the plans that change files: create, replace, append, delete. Each looks before it writes, and says
// what really changed, as the tool reported it.
import { type DemoPlan, type DemoResult, type DemoStep, callOne, whyNot } from './demo-call'
import { firstContent } from './first-content'
import { type FileText, fileOf, outputOf } from './tool-facts'
import { bullets, code, fence, head, plural } from './wording'

export function* planCreate(intent: { path: string; content: string | null; wish: string }): DemoPlan {
  const { path } = intent
  const content = intent.content === null ? firstContent(path, intent.wish) : withLineEnd(intent.content)
  const isPlain = !/^\/|^~|\.\.|[*?{}[\]]/.test(path)
  const found = isPlain
    ? outputOf(
        'glob',
        yield* callOne(
          { toolName: 'glob', input: { pattern: path } },
          { think: `Before I write ${path}, I see whether it is there already.` }
        )
      )
    : null
  // A glob without a slash finds the name at any depth.
  const isThere = found?.paths.some((other) => other === path.replace(/^\.\//, '')) ?? false
  const kept = isThere ? yield* whyKept(path) : null
  if (kept !== null) return kept
  const result = yield* callOne(
    { toolName: 'file_write', input: { path, content } },
    { think: `${path} is to be written.`, say: `I write ${code(path)}.` }
  )
  const output = outputOf('file_write', result)
  if (output === null) return `I did not write ${code(path)}: ${whyNot(result, 'file_write')}.`
  const { text, left } = head(content.split('\n').slice(0, -1), 24, 1_500)
  const verb = output.created ? 'Created' : 'Replaced'
  return `${verb} ${code(output.path)} (${plural(output.bytes, 'byte')}, ${plural(output.added, 'line')} added${output.removed > 0 ? `, ${output.removed} removed` : ''}):\n\n${fence(text, /\.(\w{1,5})$/.exec(path)?.[1] ?? '')}${left > 0 ? `\n\n… and ${plural(left, 'more line')}.` : ''}`
}

/** Asks whether a file that is there may be replaced. Null when it may; else why it stays. */
function* whyKept(path: string): Generator<DemoStep, string | null, readonly DemoResult[]> {
  const [replace, keep] = ['Replace it', 'Keep it']
  const input = { question: `${path} exists already. Replace it?`, options: [replace, keep] }
  const asked = yield* callOne(
    { toolName: 'ask_user', input },
    { think: `${path} is there already. Writing would replace it, so I ask.` }
  )
  const answer = outputOf('ask_user', asked)?.answer ?? null
  if (answer === null)
    return `${code(path)} exists already and was left as it is, since I could not ask whether to replace it.`
  return /^(?:replace|yes|ok|sure|overwrite)/i.test(answer)
    ? null
    : `${code(path)} exists already and was left as it is.`
}

function withLineEnd(content: string): string {
  return content.endsWith('\n') ? content : `${content}\n`
}

export function* planReplace(intent: { from: string; to: string; path: string | null }): DemoPlan {
  const { from, to } = intent
  if (intent.path !== null) return yield* replaceIn(intent.path, from, to)
  const searched = yield* callOne(
    { toolName: 'grep', input: { pattern: from, literal: true } },
    { think: `No file is named, so I look for ${from} in all of them.` }
  )
  const found = outputOf('grep', searched)
  if (found === null) return `I cannot look for ${code(from)}: ${whyNot(searched, 'grep')}.`
  if (found.total === 0) return `Nothing in the project reads ${code(from)}, so nothing was changed.`
  const paths = [...new Set(found.matches.map((match) => match.path))]
  const answers: string[] = []
  for (const path of paths.slice(0, 8)) answers.push(yield* replaceIn(path, from, to))
  const rest = paths.length - 8
  return `${answers.join('\n\n')}${rest > 0 ? `\n\n${plural(rest, 'more file')} I left alone; ask again to go on.` : ''}`
}

function* replaceIn(path: string, from: string, to: string): DemoPlan {
  const read = yield* callOne(
    { toolName: 'file_read', input: { path } },
    { think: `I read ${path} first, to see what would change.` }
  )
  const file = fileOf(read)
  if (file === null) return `I changed nothing in ${code(path)}: ${whyNot(read, 'file_read')}.`
  const edit = editFor(file, from, to)
  if (edit === null) return `${code(file.path)} does not hold ${code(from)}, so nothing was changed there.`
  const input = { path, old_string: edit.from, new_string: edit.to, ...(edit.all ? { replace_all: true } : {}) }
  const result = yield* callOne(
    { toolName: 'file_edit', input },
    { think: `It stands ${plural(edit.count, 'time')} in ${path}.` }
  )
  const output = outputOf('file_edit', result)
  if (output === null) return `I changed nothing in ${code(path)}: ${whyNot(result, 'file_edit')}.`
  return `Replaced ${code(edit.from.trim())} with ${code(edit.to.trim())} in ${code(output.path)}, ${plural(output.replacements, 'time')}:\n\n${fence(diffText(output.diff), 'diff')}`
}

interface Edit {
  readonly from: string
  readonly to: string
  readonly all: boolean
  readonly count: number
}

/** The words as they stand, else the value of the key that is named so ("change the version to 2.0.0"). */
function editFor(file: FileText, from: string, to: string): Edit | null {
  const text = file.lines.join('\n')
  const value = valueEdit(file, from, to)
  const isKeyOnly = value !== null && !/\s/.test(from) && !text.includes(`${from} `)
  if (isKeyOnly) return value
  const count = text.split(from).length - 1
  return count > 0 ? { from, to, all: count > 1, count } : value
}

function valueEdit(file: FileText, key: string, to: string): Edit | null {
  const name = key.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = new RegExp(String.raw`^(\s*["']?${name}["']?\s*[:=]\s*)(["']?)([^"',#]*?)(\2\s*,?\s*)$`, 'i')
  const lines = file.lines.filter((line) => pattern.test(line))
  const line = lines[0]
  const match = line === undefined ? null : pattern.exec(line)
  if (line === undefined || match === null || lines.length > 1 || match[3] === to) return null
  return { from: line, to: `${match[1]}${match[2]}${to}${match[4]}`, all: false, count: 1 }
}

export function* planAppend({ line, path }: { line: string; path: string }): DemoPlan {
  const read = yield* callOne(
    { toolName: 'file_read', input: { path } },
    { think: `A line goes to the end of ${path}; I read it to find that end.` }
  )
  const file = fileOf(read)
  if (file === null) return `I added nothing to ${code(path)}: ${whyNot(read, 'file_read')}.`
  const anchor = file.whole ? lastUnique(file.lines) : null
  if (anchor === null)
    return `I added nothing to ${code(path)}: its end cannot be told apart from the rest${file.whole ? '' : ', since I did not see all of it'}.`
  const input = { path, old_string: anchor, new_string: `${anchor}\n${line}` }
  const result = yield* callOne(
    { toolName: 'file_edit', input },
    { think: 'Its last lines are unique, so the new one goes after them.' }
  )
  const output = outputOf('file_edit', result)
  if (output === null) return `I added nothing to ${code(path)}: ${whyNot(result, 'file_edit')}.`
  return `Added ${plural(output.added - output.removed, 'line')} to the end of ${code(output.path)}:\n\n${fence(diffText(output.diff), 'diff')}`
}

/** The shortest end of a file, without blank last lines, that stands in it once; null when there is none. */
function lastUnique(lines: readonly string[]): string | null {
  const end = lines.findLastIndex((text) => text.trim() !== '') + 1
  const text = lines.join('\n')
  for (let size = 1; size <= Math.min(end, 8); size++) {
    const candidate = lines.slice(end - size, end).join('\n')
    if (candidate.trim() !== '' && text.split(candidate).length === 2) return candidate
  }
  return null
}

export function* planDelete(path: string): DemoPlan {
  const command = `rm -- '${path.replaceAll("'", String.raw`'\''`)}'`
  const result = yield* callOne(
    { toolName: 'bash', input: { command } },
    { think: `${path} is to be deleted; only a command can do that.` }
  )
  const output = outputOf('bash', result)
  if (output === null) return `I did not delete ${code(path)}: ${whyNot(result, 'bash')}.`
  return output.exit_code === 0
    ? `Deleted ${code(path)}.`
    : `I could not delete ${code(path)}:\n\n${bullets(output.output.trim().split('\n').slice(0, 3))}`
}

function diffText(diff: string): string {
  return head(diff.replace(/\s+$/, '').split('\n'), 30, 1_800).text
}
