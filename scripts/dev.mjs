// `npm run dev`: the app from the dev server, with hot reload of the page and a restart on changes
// of main. It runs on whatever Electron `npm start` would take.
import { requireDisplay, sandboxArgs } from './setup/display.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { packageBin, run, runMain } from './setup/steps.mjs'

await runMain(async () => {
  requireDisplay()
  await ensurePackages()
  const { binary, fallback } = await ensureElectron()
  process.exitCode = await run(process.execPath, [packageBin('electron-vite/bin/electron-vite.js'), 'dev', '--watch'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ELECTRON_EXEC_PATH: binary,
      ...(sandboxArgs().length > 0 ? { NO_SANDBOX: '1' } : {}),
      ...(fallback ? { TIDEMARK_RUNTIME_FALLBACK: '1' } : {})
    }
  })
})
