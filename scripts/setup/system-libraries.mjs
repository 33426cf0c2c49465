// Set-up step: system packages on Debian and its relatives. Electron links to GTK, NSS, ALSA and
// GBM; the tests also need Chromium and a virtual display. Installs only as root and only what is
// missing; elsewhere it says which command would do it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { hasProgram, run, SetupError, step } from './steps.mjs'

/** Debian names; newer releases provide these same names from their renamed packages. */
const LIBRARY_PACKAGES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libxtst6']

/** Programs of the test run and the packages that hold them; xvfb-run needs xauth beside it. */
const TEST_PROGRAMS = { chromium: ['chromium'], 'xvfb-run': ['xvfb', 'xauth'], git: ['git'], fakeroot: ['fakeroot'] }

/** Shared libraries that a binary names and the system lacks. */
function missingLibraries(binary) {
  const listed = spawnSync('ldd', [binary], { encoding: 'utf8' })
  if (listed.status !== 0) return []
  return [...listed.stdout.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1])
}

async function install(packages, reason) {
  const command = `apt-get install -y ${packages.join(' ')}`
  const isRoot = process.getuid?.() === 0
  if (!isRoot || !hasProgram('apt-get'))
    throw new SetupError(
      `${reason}.\n` +
        (hasProgram('apt-get')
          ? `Install it with:  sudo ${command}\nand run the same command again.`
          : `Install what corresponds to these Debian packages: ${packages.join(' ')}`)
    )
  step(`Installing system packages (once): ${packages.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']
  const log = fs.openSync('/dev/null', 'w')
  const stdio = ['ignore', log, 2]
  await run('apt-get', ['update', ...quiet], { env, stdio })
  const code = await run('apt-get', ['install', '-y', '--no-install-recommends', ...quiet, ...packages], { env, stdio })
  fs.closeSync(log)
  if (code !== 0) throw new SetupError(`${reason}, and apt-get could not install it (exit code ${code}, see above).`)
}

/** Makes the libraries that an Electron binary links to available. */
export async function ensureElectronLibraries(binary) {
  if (process.platform !== 'linux') return
  const missing = missingLibraries(binary)
  if (missing.length === 0) return
  await install(LIBRARY_PACKAGES, `Electron needs system libraries that are missing here: ${missing.join(', ')}`)
  const still = missingLibraries(binary)
  if (still.length > 0) throw new SetupError(`Electron still lacks system libraries: ${still.join(', ')}`)
}

/** Makes the programs that the tests run available. */
export async function ensureTestPrograms() {
  if (process.platform !== 'linux') return
  const missing = Object.keys(TEST_PROGRAMS).filter((name) => !hasProgram(name))
  if (missing.length === 0) return
  await install(
    missing.flatMap((name) => TEST_PROGRAMS[name]),
    `The tests need programs that are missing here: ${missing.join(', ')}`
  )
}
