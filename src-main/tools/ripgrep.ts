// Owns running the bundled ripgrep: where its binary is, its time limit, records split at a byte, its errors.
// What the model wrote reaches it only as `--name=value` or behind `--`, never as an option.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { SEARCH_TIMEOUT_MS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'

export interface Search {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly abortSignal: AbortSignal
  /** Splits the output; a record holds no separator. */
  readonly separator: number
  readonly timeoutMs?: number
  /** Return false to stop the search: what came so far is enough. */
  onRecord(record: Buffer): boolean
}

export type SearchEnd = 'all' | 'stopped' | 'timeout' | 'aborted'

/** A record beyond this is dropped, so that no file name or line can fill the memory. */
const MAX_RECORD_BYTES = 1_048_576

const MAX_ERROR_CHARS = 2_000

/** Flags of every search: nothing from the person's configuration, hidden files, stable output. */
export const COMMON_FLAGS: readonly string[] = ['--no-config', '--hidden', '--no-messages', '--color=never']

/** Absolute path of the binary. Inside a packaged app it lies beside the archive, where it can be run. */
export function ripgrepPath(): string {
  const require = createRequire(import.meta.url)
  // The package itself is an ES module, which a CommonJS build on Node 18 cannot load; its layout is public.
  const fromPackage = createRequire(require.resolve('@vscode/ripgrep'))
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  return unpackedPath(fromPackage.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`))
}

/** The path of a file that the packager leaves outside the archive. */
export function unpackedPath(file: string): string {
  return file.replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2')
}

/** Streams records to `onRecord`. Fails with ripgrep's own words, a bad expression say. */
export async function ripgrep(search: Search): Promise<Result<SearchEnd, string>> {
  if (search.abortSignal.aborted) return ok('aborted')
  if (search.args.some((arg) => arg.includes('\0'))) return err('The pattern or path holds a NUL byte.')
  return new Promise((resolve, reject) => {
    const child = spawn(ripgrepPath(), [...COMMON_FLAGS, ...search.args], {
      cwd: search.cwd,
      env: search.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true
    })
    let end: SearchEnd = 'all'
    let records = 0
    let errors = ''
    const stop = (reason: SearchEnd): void => {
      if (end === 'all') end = reason
      child.kill('SIGKILL')
    }
    const split = recordSplitter(search.separator, (record) => {
      records++
      if (end === 'all' && !search.onRecord(record)) stop('stopped')
    })
    const onAbort = (): void => stop('aborted')
    search.abortSignal.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(() => stop('timeout'), search.timeoutMs ?? SEARCH_TIMEOUT_MS)
    child.stdout.on('data', (chunk: Buffer) => end === 'all' && split.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(0, MAX_ERROR_CHARS)))
    const settle = (): void => {
      clearTimeout(timer)
      search.abortSignal.removeEventListener('abort', onAbort)
    }
    child.once('error', (cause) => {
      settle()
      const code = systemCodeOf(cause)
      if (code === null) reject(cause)
      else resolve(err(code === 'E2BIG' ? 'The pattern is too long.' : `The search could not be started (${code}).`))
    })
    child.once('close', (exitCode) => {
      settle()
      if (end === 'all') split.finish()
      // Exit code 2 with results means that some file could not be read: the rest still counts.
      if (end === 'all' && exitCode === 2 && records === 0 && errors !== '') resolve(err(errorWords(errors)))
      else resolve(ok(end))
    })
  })
}

/** The folder that a search starts in, as an argument that cannot be taken for an option. */
export function searchRootOf(projectRoot: string, absolute: string): string {
  const relative = path.relative(projectRoot, absolute)
  if (relative === '') return './'
  return path.isAbsolute(relative) || relative.startsWith('..') ? absolute : `.${path.sep}${relative}`
}

/** A path that ripgrep printed, in the form that our tools show. */
export function shownPath(printed: Buffer): string {
  const text = printed.toString('utf8').split(path.sep).join('/')
  return text.startsWith('./') ? text.slice(2) : text
}

function errorWords(errors: string): string {
  return `ripgrep: ${errors.trim().replace(/^rg: /, '')}`
}

function recordSplitter(
  separator: number,
  onRecord: (record: Buffer) => void
): { push(chunk: Buffer): void; finish(): void } {
  let parts: Buffer[] = []
  let size = 0
  const take = (bytes: Buffer): void => {
    size += bytes.length
    if (size <= MAX_RECORD_BYTES) parts.push(bytes)
  }
  const emit = (): void => {
    if (size > 0 && size <= MAX_RECORD_BYTES) onRecord(Buffer.concat(parts))
    parts = []
    size = 0
  }
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
        take(chunk.subarray(start, end))
        emit()
        start = end + 1
      }
      if (start < chunk.length) take(chunk.subarray(start))
    },
    finish: emit
  }
}
