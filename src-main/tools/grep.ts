// Owns the grep tool: matching lines of a file or of all files below a folder, by ripgrep.
import { realpath } from 'node:fs/promises'
import { GREP_MAX_LINE_BYTES, GREP_MAX_MATCHES } from '@common/constants'
import { compilePathGlob, type PathMatcher } from '@common/agents/path-glob'
import type { ToolInput, ToolOutput } from '@common/tools/tool-contracts'
import { defineTool } from './define-tool'
import { ripgrep, searchRootOf, shownPath } from './ripgrep'
import { exclusionsFor, searchTarget, touchSearch } from './search-target'

type Match = ToolOutput<'grep'>['matches'][number]

const LINE_FEED = 0x0a
const NUL = 0
const COLON = 0x3a

/** Matches past the cap are counted up to here; then the search ends and `total` means at least. */
const MAX_COUNTED = 100_000

const FLAGS = [
  '--null',
  '--no-heading',
  '--with-filename',
  '--line-number',
  `--max-columns=${GREP_MAX_LINE_BYTES}`,
  '--max-columns-preview'
]

export const grep = defineTool('grep', {
  touch: (input, run) => touchSearch(input.path, run),
  async execute(input, run) {
    const target = await searchTarget(input.path, run)
    if (!target.ok) return { kind: 'failed', message: target.error }
    const filter = filterOf(input.glob, target.value.relative)
    if (filter === null) return { kind: 'failed', message: 'The glob is too long or stands for too many alternatives.' }
    const root = await realpath(run.projectRoot)
    const records = matchReader()
    const matches: Match[] = []
    let total = 0
    const searched = await ripgrep({
      args: [...flagsFor(input), ...exclusionsFor(target.value), '--', searchRootOf(root, target.value.absolute)],
      cwd: root,
      env: run.childEnv,
      abortSignal: run.abortSignal,
      separator: LINE_FEED,
      onRecord(line) {
        const match = records.push(line)
        if (match === null || !filter(match.path) || !run.mayRead(match.path)) return true
        if (++total <= GREP_MAX_MATCHES) matches.push(match)
        return total < MAX_COUNTED
      }
    })
    if (!searched.ok) return { kind: 'failed', message: searched.error }
    if (searched.value === 'aborted') return { kind: 'interrupted', message: 'The search was interrupted.' }
    if (searched.value === 'timeout' && total === 0)
      return { kind: 'failed', message: 'Nothing was found in time; give a narrower path or glob.' }
    // ripgrep searches files in parallel: without this the order would change from run to run.
    matches.sort((one, other) => comparePaths(one.path, other.path) || one.line - other.line)
    return { kind: 'done', output: { matches, total, truncated: total > matches.length || searched.value !== 'all' } }
  }
})

function flagsFor(input: ToolInput<'grep'>): string[] {
  const flags = [...FLAGS, `--regexp=${input.pattern}`]
  if (input.literal === true) flags.push('--fixed-strings')
  if (input.ignore_case === true) flags.push('--ignore-case')
  if (/\n|\\n/.test(input.pattern)) flags.push('--multiline')
  return [...flags, ...typeFlagsFor(input.glob)]
}

/**
 * Globs are matched here, for the same reason as in the glob tool; a leading `!` turns one round.
 * They count from the project or from the folder that is searched, as ripgrep's users expect.
 */
function filterOf(glob: string | null | undefined, folder: string): PathMatcher | null {
  if (glob === null || glob === undefined || glob === '') return () => true
  const isNegated = glob.startsWith('!')
  const plain = glob.slice(isNegated ? 1 : 0).replace(/^\.?\//, '')
  const matches = compilePathGlob(plain.includes('/') ? plain : `**/${plain}`)
  if (matches === null) return null
  const below = (path: string): string => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path)
  return (path) => (matches(path) || matches(below(path))) !== isNegated
}

/** Lets ripgrep pass over files whose name cannot match: as a file type, which respects ignore files. */
function typeFlagsFor(glob: string | null | undefined): string[] {
  const name = glob?.split('/').at(-1) ?? ''
  const isPlain = /^[\w.*?-]+(?:\{[\w.*?,-]+\}[\w.*?-]*)?$/.test(name) && name !== '**'
  return isPlain ? [`--type-add=wanted:${name}`, '--type=wanted'] : []
}

/** Reads `path NUL line:text`, one line feed a record. A path may itself hold line feeds: it ends at the NUL. */
function matchReader(): { push(line: Buffer): Match | null } {
  let before: Buffer[] = []
  return {
    push(line) {
      const nul = line.indexOf(NUL)
      if (nul === -1) {
        if (isBinaryNotice(line)) before = []
        else before.push(line, Buffer.from('\n'))
        return null
      }
      const name = shownPath(Buffer.concat([...before, line.subarray(0, nul)]))
      before = []
      const colon = line.indexOf(COLON, nul)
      const number = Number(line.subarray(nul + 1, colon).toString('latin1'))
      return {
        path: name,
        line: number,
        text: line
          .subarray(colon + 1)
          .toString('utf8')
          .replace(/\r$/, '')
      }
    }
  }
}

/** ripgrep tells of binary files among the matches; they have no NUL behind their path. */
function isBinaryNotice(line: Buffer): boolean {
  return /binary file (?:matches|after match) \(found "\\0" byte around offset \d+\)$/.test(line.toString('utf8'))
}

function comparePaths(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
