// Where the sources and the worker threads are, for both builds. A worker becomes a file of its
// own beside the bundle that starts it: `new Worker(join(__dirname, 'NAME.cjs'))`.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Absolute path of a repository path. */
export function at(path: string): string {
  return resolve(root, path)
}

export const alias = { '@common': at('src-common') }

const WORKERS: Record<string, string> = { 'token-worker': at('src-main/context/token-worker.ts') }

/** Inputs of a bundle for Node: the entry and every worker. */
export function withWorkers(entry: Record<string, string>): Record<string, string> {
  return { ...entry, ...Object.fromEntries(Object.entries(WORKERS).filter(([, path]) => existsSync(path))) }
}
