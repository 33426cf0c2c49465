// For tests of the demo: the tools of the contract over a real folder and real processes, without approvals,
// caps or locks. The product's own tools stand above the provider layer and cannot be used here.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { TOOL_CONTRACTS } from '@common/tools/tool-contracts'
import type { ToolInput, ToolName, ToolOutput } from '@common/tools/tool-contracts'
import picomatch from 'picomatch'
import { tool, type ToolSet } from 'ai'
import { z } from 'zod'

export interface SmallTools {
  readonly tools: ToolSet
  /** Every call in order, as `tool input`. */
  readonly calls: string[]
  /** What the memory tool wrote, by path. */
  readonly memories: Map<string, string>
}

export interface SmallToolOptions {
  /** Only these are offered. */
  readonly only?: readonly string[]
  /** These fail with this text, as a denied call does. */
  readonly deny?: Readonly<Record<string, string>>
  readonly answer?: string
  /** Answers session_history. */
  readonly history?: (input: Record<string, unknown>) => unknown
}

const Memory = z.object({
  command: z.enum(['view', 'create', 'delete']),
  path: z.string(),
  file_text: z.string().nullish()
})

export function smallTools(root: string, options: SmallToolOptions = {}): SmallTools {
  const calls: string[] = []
  const memories = new Map<string, string>()
  const resolve = (name: string): string => {
    const full = path.resolve(root, name)
    if (full !== root && !full.startsWith(`${root}${path.sep}`)) throw new Error(`${name} is outside of the project.`)
    return full
  }
  const offer = <Input>(name: string, inputSchema: z.ZodType<Input>, run: (input: Input) => unknown) => ({
    [name]: tool({
      description: `The ${name} tool.`,
      inputSchema,
      execute: async (input: Input) => {
        calls.push(`${name} ${JSON.stringify(input)}`)
        const denied = options.deny?.[name]
        if (denied !== undefined) throw new Error(denied)
        return run(input)
      }
    })
  })
  const own = <Name extends ToolName>(
    name: Name,
    run: (input: ToolInput<Name>) => ToolOutput<Name> | Promise<ToolOutput<Name>>
  ) => offer(name, TOOL_CONTRACTS[name].input as unknown as z.ZodType<ToolInput<Name>>, run)

  const all: ToolSet = {
    ...own('bash', ({ command }) => runShell(command, root)),
    ...own('file_read', ({ path: name, offset, limit }) => readLines(resolve(name), name, offset ?? 1, limit ?? 2_000)),
    ...own('file_write', ({ path: name, content }) => {
      const created = !fs.existsSync(resolve(name))
      fs.mkdirSync(path.dirname(resolve(name)), { recursive: true })
      fs.writeFileSync(resolve(name), content)
      const lines = content.split('\n').length - 1
      return { path: name, diff: '', added: lines, removed: 0, created, bytes: Buffer.byteLength(content) }
    }),
    ...own('file_edit', ({ path: name, old_string, new_string, replace_all }) => {
      const text = fs.readFileSync(resolve(name), 'utf8')
      const count = text.split(old_string).length - 1
      if (count === 0) throw new Error('old_string is not in the file.')
      if (count > 1 && replace_all !== true) throw new Error(`old_string is there ${count} times.`)
      fs.writeFileSync(resolve(name), text.split(old_string).join(new_string))
      const added = new_string.split('\n').length
      const removed = old_string.split('\n').length
      return { path: name, diff: `-${old_string}\n+${new_string}`, added, removed, replacements: count }
    }),
    ...own('glob', ({ pattern }) => {
      const paths = // As in the product: a glob without a slash finds the name at any depth.
        walk(root).filter((name) => picomatch.isMatch(name, pattern.includes('/') ? pattern : `**/${pattern}`))
      return { paths, total: paths.length, truncated: false }
    }),
    ...own('grep', ({ pattern, glob, literal, ignore_case }) => {
      const source = literal === true ? pattern.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : pattern
      const find = new RegExp(source, ignore_case === true ? 'i' : '')
      const matches = walk(root)
        .filter((name) => glob == null || picomatch.isMatch(name, glob, { basename: !glob.includes('/') }))
        .flatMap((name) =>
          fs
            .readFileSync(path.join(root, name), 'utf8')
            .split('\n')
            .flatMap((text, index) => (find.test(text) ? [{ path: name, line: index + 1, text }] : []))
        )
      return { matches, total: matches.length, truncated: false }
    }),
    ...own('todo', ({ items }) => ({ items })),
    ...own('ask_user', () => {
      if (options.answer === undefined) throw new Error('Nobody is there to answer: denied.')
      return { answer: options.answer }
    }),
    ...offer('memory', Memory, ({ command, path: name, file_text }) => {
      if (command === 'view') return [...memories.keys()].join('\n')
      if (command === 'delete') return memories.delete(name)
      if (memories.has(name)) throw new Error(`File ${name} already exists`)
      memories.set(name, file_text ?? '')
      return `File created successfully at: ${name}`
    }),
    ...offer(
      'session_history',
      z.looseObject({ action: z.string() }),
      (input) => options.history?.(input) ?? { error: 'none', message: 'No history.' }
    )
  }
  const names = options.only ?? Object.keys(all)
  return { tools: Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))), calls, memories }
}

function readLines(file: string, name: string, first: number, limit: number): ToolOutput<'file_read'> {
  const text = fs.readFileSync(file, 'utf8')
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const chosen = lines.slice(first - 1, first - 1 + limit)
  return {
    path: name,
    content: chosen.map((line, index) => `${first + index}\t${line}`).join('\n'),
    first_line: first,
    last_line: first + chosen.length - 1,
    total_lines: lines.length
  }
}

function walk(root: string, folder = ''): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (['node_modules', '.git'].includes(entry.name)) return []
    return entry.isDirectory() ? walk(root, name) : [name]
  })
}

function runShell(command: string, cwd: string): Promise<ToolOutput<'bash'>> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd, timeout: 20_000 }, (error, stdout, stderr) => {
      resolve({
        exit_code: error === null ? 0 : typeof error.code === 'number' ? error.code : null,
        output: stdout + stderr
      })
    })
  })
}
