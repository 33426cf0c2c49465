// Where the tests that need a browser find one: the system's Chromium or Chrome. Playwright's own
// download is not used, so that one package manager is enough to set a machine up.
import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]

/** Launch options for Playwright's Chromium: the binary, and the sandbox off for root alone. */
export function chromiumLaunchOptions(): { executablePath: string; args: string[] } {
  const executablePath = process.env['CHROMIUM_PATH'] ?? PLACES.find((place) => existsSync(place))
  if (executablePath === undefined) throw new Error('No Chromium found: install it or set CHROMIUM_PATH to its binary.')
  const isRoot = process.getuid?.() === 0
  return { executablePath, args: ['--disable-gpu', '--disable-quic', ...(isRoot ? ['--no-sandbox'] : [])] }
}
