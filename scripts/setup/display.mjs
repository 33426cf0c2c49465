// Whether a window can be shown here, and what to tell the person when it can't. Also what the
// sandbox needs: nobody but root runs without it, so a system that blocks it has to be told.
import fs from 'node:fs'
import path from 'node:path'
import { SetupError } from './steps.mjs'

/** Throws when Linux has no display to open a window on. */
export function requireDisplay(env = process.env, platform = process.platform) {
  if (platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return
  throw new SetupError(
    'There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.\n' +
      'Run it in a desktop session, over `ssh -X`, or on a virtual display:  xvfb-run -a npm start\n' +
      'The agent also works without a window:  npm run --silent tidemark -- run --help'
  )
}

/** Chromium's own arguments: it refuses to run sandboxed as root, and only there the sandbox is off. */
export function sandboxArgs() {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

/** Throws where the system forbids unprivileged sandboxes and the set-uid helper is not set up. */
export function requireSandbox(binary) {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return
  const limit = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
  if (!fs.existsSync(limit) || fs.readFileSync(limit, 'utf8').trim() !== '1') return
  const helper = path.join(path.dirname(binary), 'chrome-sandbox')
  const status = fs.statSync(helper, { throwIfNoEntry: false })
  if (!status || (status.uid === 0 && (status.mode & 0o4000) !== 0)) return
  throw new SetupError(
    'This system only lets Chromium start its sandbox through a helper that belongs to root. Once:\n' +
      `  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`
  )
}
