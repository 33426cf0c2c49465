// Set-up step: the build outputs. A build is done again when the content of its sources changed,
// not their times, so that switching branches is safe. Two processes that want the same build wait
// for each other.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { packageBin, root, run, SetupError, step } from './steps.mjs'

const SHARED = ['src-common', 'src-main', 'scripts/build-inputs.ts', 'package.json', 'package-lock.json']

const TARGETS = {
  desktop: {
    sources: [...SHARED, 'electron', 'src-renderer', 'electron.vite.config.ts', 'scripts/tailwind-old-chromium.ts'],
    output: 'out/main/main.cjs',
    command: [packageBin('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn']
  },
  cli: {
    sources: [...SHARED, 'vite.cli.config.ts'],
    output: 'out/cli/tidemark.cjs',
    command: [packageBin('vite/bin/vite.js'), 'build', '-c', 'vite.cli.config.ts', '--logLevel', 'warn']
  }
}

function filesUnder(relative) {
  const absolute = path.join(root, relative)
  if (!fs.existsSync(absolute)) return []
  if (!fs.statSync(absolute).isDirectory()) return [relative]
  return fs
    .readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .toSorted()
}

/** Hash of the names and contents of all files under the given repository paths, tests left out. */
export function sourceHash(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesUnder)) {
    hash.update(`${file}\0`)
    hash.update(fs.readFileSync(path.join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex')
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Holds `out/.building-NAME` while `work` runs; a lock whose process is gone is taken over. */
async function withLock(name, work) {
  fs.mkdirSync(path.join(root, 'out'), { recursive: true })
  const lock = path.join(root, 'out', `.building-${name}`)
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const holder = Number(fs.existsSync(lock) ? fs.readFileSync(lock, 'utf8') : 0)
      if (holder > 0 && !isRunning(holder)) fs.rmSync(lock, { force: true })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  try {
    return await work()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

function isCurrent(name) {
  const { sources, output } = TARGETS[name]
  const stamp = path.join(root, 'out', `.built-${name}`)
  if (!fs.existsSync(path.join(root, output)) || !fs.existsSync(stamp)) return false
  return fs.readFileSync(stamp, 'utf8') === sourceHash(sources)
}

/** Builds `desktop` or `cli` when its output is missing or older than its sources. */
export async function ensureBuild(name, { force = false } = {}) {
  if (!force && isCurrent(name)) return
  await withLock(name, async () => {
    if (!force && isCurrent(name)) return // another process built it while this one waited
    step(name === 'cli' ? 'Building the command line' : 'Building the app')
    const { sources, command } = TARGETS[name]
    const hash = sourceHash(sources) // before the build: an edit during it makes the build stale
    const code = await run(process.execPath, command)
    if (code !== 0) throw new SetupError(`The build failed (exit code ${code}); its message is above.`)
    fs.writeFileSync(path.join(root, 'out', `.built-${name}`), hash)
  })
}
