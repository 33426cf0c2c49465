// `npm run package`: a packaged app in dist/, with the Electron that `npm start` would run and its
// fuses set (electron-builder.yml). Installers are left to those who release.
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuild } from './setup/build.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { packageBin, run, runMain } from './setup/steps.mjs'

await runMain(async () => {
  await ensurePackages()
  const { binary, fallback } = await ensureElectron()
  await ensureBuild('desktop', { force: true })
  const folder = path.dirname(binary)
  const version = fs.readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
  // On a Mac the binary lies inside Electron.app, and electron-builder finds its own way to it.
  const dist = fallback || process.platform === 'linux' ? [`-c.electronDist=${folder}`] : []
  process.exitCode = await run(process.execPath, [
    packageBin('electron-builder/cli.js'),
    '--dir',
    '--publish=never',
    ...dist,
    `-c.electronVersion=${version}`
  ])
})
