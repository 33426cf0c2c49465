// What the set-up steps share: the repository root, progress lines and running a program.
// Everything goes to stderr, so that a command's stdout stays its own. No dependencies: this runs
// before any package is installed.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Something that the person must do or know; printed without a stack. */
export class SetupError extends Error {}

/** One progress line. */
export function step(text) {
  process.stderr.write(`• ${text}\n`)
}

/** Runs `main` and turns a SetupError into its message and exit code 1. */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}

/** Runs a program to its end with its output on stderr; resolves with the exit code. What is piped is passed on. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    child.stdout?.pipe(process.stdout, { end: false })
    child.stderr?.pipe(process.stderr, { end: false })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Runs a program to its end; resolves with its exit code and all that it wrote. */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** True when a program of this name is on the PATH. */
export function hasProgram(name) {
  return spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0
}

/** Path of a package's own JavaScript program, which runs with plain `node` on every system. */
export function packageBin(relative) {
  return path.join(root, 'node_modules', relative)
}
