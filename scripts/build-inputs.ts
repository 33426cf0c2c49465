// Where the sources and the worker threads are, for both builds. A worker becomes a file of its
// own beside the bundle that starts it: `new Worker(join(__dirname, 'NAME.cjs'))`.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const WORKERS: Readonly<Record<string, string>> = { 'token-worker': 'src-main/context/token-worker.ts' }

/** Paths of the repository at `root`. It is a parameter because a config loader may inline this file. */
export function buildInputs(root: string) {
  const at = (path: string): string => resolve(root, path)
  const workers = Object.entries(WORKERS)
    .filter(([, path]) => existsSync(at(path)))
    .map(([name, path]) => [name, at(path)] as const)
  return {
    /** Absolute path of a repository path. */
    at,
    alias: { '@common': at('src-common') },
    /** Entries of the worker threads, for the inputs of a bundle for Node. */
    workers: Object.fromEntries(workers)
  }
}
