// Owns finding files of a project by a few typed letters, for the composer's @ menu: what git ignores is left out.
import { ripgrep, shownPath } from '../tools/ripgrep'

/** As many as a menu shows. */
const MAX_PATHS = 20
/** A larger tree answers with what was seen so far: a menu must not wait. */
const MAX_SEEN = 50_000
const TIMEOUT_MS = 2_000

/** Paths relative to the project, best match first; empty when the folder cannot be read. */
export async function searchFiles(projectPath: string, query: string): Promise<string[]> {
  const seen: string[] = []
  const found = await ripgrep({
    args: ['--files', '--null', '--glob=!.git', './'],
    cwd: projectPath,
    env: {},
    abortSignal: new AbortController().signal,
    separator: 0,
    timeoutMs: TIMEOUT_MS,
    onRecord: (record) => seen.push(shownPath(record)) < MAX_SEEN
  })
  return found.ok ? bestMatches(seen, query) : []
}

/** Paths that hold the query's letters in order; a run in the file's name beats one in a folder's. Pure. */
export function bestMatches(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase()
  return paths
    .map((path) => ({ path, score: scoreOf(path.toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.path.length - b.path.length || a.path.localeCompare(b.path))
    .slice(0, MAX_PATHS)
    .map(({ path }) => path)
}

function scoreOf(path: string, wanted: string): number {
  if (wanted === '') return 1
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(wanted)) return 5
  if (name.includes(wanted)) return 4
  if (path.includes(wanted)) return 3
  return holdsInOrder(path, wanted) ? 2 : 0
}

function holdsInOrder(text: string, wanted: string): boolean {
  let at = -1
  return [...wanted].every((letter) => (at = text.indexOf(letter, at + 1)) >= 0)
}
