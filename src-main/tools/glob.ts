// Owns the glob tool: files below a folder that match a glob, newest first. ripgrep walks, so that ignored
// files are left out; the glob is matched here, since ripgrep's own globs would bring ignored files back.
import path from 'node:path'
import { GLOB_MAX_PATHS } from '@common/constants'
import { compilePathGlob, type PathMatcher } from '@common/agents/path-glob'
import { defineTool } from './define-tool'
import { ripgrep, shownPath } from './ripgrep'
import { exclusionsFor, searchTarget, touchSearch } from './search-target'

const NUL = 0

export const glob = defineTool('glob', {
  touch: (input, run) => touchSearch(input.path, run),
  async execute(input, run) {
    const target = await searchTarget(input.path, run)
    if (!target.ok) return { kind: 'failed', message: target.error }
    const { absolute, relative, isFolder, place } = target.value
    if (!isFolder) return { kind: 'failed', message: `${relative} is a file, not a folder.` }
    const matches = matcherOf(input.pattern, absolute)
    if (matches === null)
      return { kind: 'failed', message: 'The glob is too long or stands for too many alternatives.' }
    const prefix = place === 'outside' || relative === '.' ? '' : `${relative}/`
    const paths: string[] = []
    let total = 0
    const searched = await ripgrep({
      args: ['--files', '--null', '--sortr=modified', ...exclusionsFor(target.value), '--', './'],
      cwd: absolute,
      env: run.childEnv,
      abortSignal: run.abortSignal,
      separator: NUL,
      onRecord(record) {
        const found = shownPath(record)
        const shown = place === 'outside' ? path.join(absolute, found) : prefix + found
        if (!matches(found) || !run.mayRead(shown)) return true
        if (++total <= GLOB_MAX_PATHS) paths.push(shown)
        return true
      }
    })
    if (!searched.ok) return { kind: 'failed', message: searched.error }
    if (searched.value === 'aborted') return { kind: 'interrupted', message: 'The search was interrupted.' }
    if (searched.value === 'timeout')
      return { kind: 'failed', message: 'The folder is too large to list in time; give a narrower path.' }
    return { kind: 'done', output: { paths, total, truncated: total > paths.length } }
  }
})

/** A glob without a slash matches the name at any depth; one that begins with the folder itself counts from it. */
function matcherOf(pattern: string, folder: string): PathMatcher | null {
  const slashed = path.sep === '\\' ? folder.split(path.sep).join('/') : folder
  const relative = pattern.startsWith(`${slashed}/`) ? pattern.slice(slashed.length + 1) : pattern
  const plain = relative.replace(/^\.\//, '')
  return compilePathGlob(plain.includes('/') || plain === '**' ? plain : `**/${plain}`)
}
