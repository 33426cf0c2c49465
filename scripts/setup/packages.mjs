// Set-up step: the npm packages of the lock file. Installs when node_modules is missing or was
// made from another lock; a stamp in node_modules remembers which lock that was.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { root, run, SetupError, step } from './steps.mjs'

const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.tidemark-lock')

function lockHash() {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
}

/** npm as it was started, or the one on the PATH; plain `npm` can't be spawned on Windows. */
function npm(args) {
  const own = process.env.npm_execpath
  const options = { env: { ...process.env, npm_config_loglevel: 'error' } }
  if (own && /\.c?js$/.test(own)) return run(process.execPath, [own, ...args], options)
  return run('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Makes node_modules match the lock file; does nothing when it does already. */
export async function ensurePackages() {
  const wanted = lockHash()
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return
  const fresh = !fs.existsSync(modules)
  step(fresh ? 'Installing packages (once, about a minute)' : 'Updating packages to the lock file')
  // `ci` wipes node_modules; with one there, a plain install that leaves the lock alone is enough.
  const code = await npm([
    ...(fresh ? ['ci'] : ['install', '--no-save']),
    '--no-audit',
    '--no-fund',
    '--prefer-offline'
  ])
  if (code !== 0)
    throw new SetupError(
      `npm could not install the packages (exit code ${code}; its message is above).\n` +
        'Check the network and that Node is 20.19 or newer, then run the same command again.'
    )
  fs.writeFileSync(stamp, wanted)
}

/** Installs bench/package.json beside the benchmarks; compiles native code, so it needs a compiler. */
export async function ensureBenchPackages() {
  const folder = path.join(root, 'bench')
  if (fs.existsSync(path.join(folder, 'node_modules'))) return
  step('Installing what the benchmarks compare against (once)')
  const code = await npm(['install', '--prefix', folder, '--no-save', '--no-package-lock', '--no-audit', '--no-fund'])
  if (code !== 0) throw new SetupError(`npm could not install bench/package.json (exit code ${code}, see above).`)
}
