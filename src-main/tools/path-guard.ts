// Owns where a path really leads: resolved against the project, symlinks followed as far as they exist.
// It says inside, outside or protected; who may go there is the gate's decision, not ours.
// Invariant: `absolute` holds no symlink at the time of the call; whoever opens it later checks again.
import { realpath } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { err, ok, type Result } from '@common/result'
import { protectedPartOf } from '@common/agents/protected-paths'
import { systemCodeOf } from '../files/file-error'
import { pathFormProblem } from './path-form'
import type { ToolRun } from './tool-types'

/** `protected` is inside the project, but in `.git/` or `.tidemark/` (A-3). */
export type PathPlace = 'inside' | 'outside' | 'protected'

export interface GuardedPath {
  readonly absolute: string
  /** From the project, with forward slashes; `.` is the project itself; absolute when outside. */
  readonly relative: string
  readonly place: PathPlace
}

/** The system's own canonical form: on case-insensitive disks also the true letter case. */
const realpathNative = promisify(realpath.native)

/** As many hops as Linux itself follows before it reports a loop. */
const MAX_LINK_HOPS = 40

/** Resolves what the model wrote. Fails with words for the model: a bad form, a loop, a file used as a folder. */
export async function guardPath(projectRoot: string, input: string): Promise<Result<GuardedPath, string>> {
  const problem = pathFormProblem(input, process.platform)
  if (problem !== null) return err(problem)
  try {
    const root = await realpathNative(projectRoot)
    return ok(placeOf(root, await resolveLinks(path.resolve(root, expandHome(input)))))
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    return err(`${input}: ${WORDS[code] ?? `the path cannot be resolved (${code})`}.`)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'the project folder is not there',
  ELOOP: 'the symbolic links lead in a circle',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission to look into a folder of the path was denied',
  ENAMETOOLONG: 'the path is too long'
}

/** Guards a path again as a call runs; what its approval does not cover is refused (O-2). */
export async function guardForRun(
  run: Pick<ToolRun, 'projectRoot' | 'allowedPaths'>,
  input: string
): Promise<Result<GuardedPath, string>> {
  const guarded = await guardPath(run.projectRoot, input)
  if (!guarded.ok) return guarded
  const { absolute, relative, place } = guarded.value
  if (place === 'inside' || run.allowedPaths.includes(absolute)) return guarded
  if (place === 'outside') return err(`${input} leads outside the project, to ${absolute}; nobody allowed that.`)
  return err(`${input} leads into ${relative}; nobody allowed that.`)
}

/** Where a path that is already resolved lies. `root` must be resolved too. */
export function placeOf(root: string, absolute: string): GuardedPath {
  const relative = path.relative(root, absolute)
  const leaves = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  if (leaves) return { absolute, relative: absolute, place: 'outside' }
  const shown = relative === '' ? '.' : relative.split(path.sep).join('/')
  return { absolute, relative: shown, place: protectedPartOf(shown) === null ? 'inside' : 'protected' }
}

/** Canonical path of the deepest part that exists, the rest appended; dangling links are followed by hand. */
async function resolveLinks(absolute: string): Promise<string> {
  let current = absolute
  for (let hops = 0; hops < MAX_LINK_HOPS; hops++) {
    const found = await deepestReal(current)
    if (found.rest.length === 0) return found.real
    const next = path.join(found.real, found.rest[0] ?? '')
    const target = await linkTargetOf(next)
    if (target === null) return path.join(found.real, ...found.rest)
    current = path.resolve(found.real, target, ...found.rest.slice(1))
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP', syscall: 'readlink' })
}

async function deepestReal(absolute: string): Promise<{ real: string; rest: string[] }> {
  const rest: string[] = []
  for (let candidate = absolute; ; candidate = path.dirname(candidate)) {
    try {
      return { real: await realpathNative(candidate), rest }
    } catch (cause) {
      if (systemCodeOf(cause) !== 'ENOENT' || path.dirname(candidate) === candidate) throw cause
      rest.unshift(path.basename(candidate))
    }
  }
}

/** The target of a symbolic link, or null when nothing is there. */
async function linkTargetOf(file: string): Promise<string | null> {
  try {
    return (await lstat(file)).isSymbolicLink() ? await readlink(file) : null
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null
    throw cause
  }
}

function expandHome(input: string): string {
  return input === '~' || input.startsWith('~/') ? path.join(homedir(), input.slice(1)) : input
}
