// `npm start [-- --project DIR]`: everything from a fresh clone to the open window: packages, an
// Electron to run, its system libraries, a current build. What is there already is not done again.
import { spawn } from 'node:child_process'
import { ensureBuild } from './setup/build.mjs'
import { requireDisplay, requireSandbox, sandboxArgs } from './setup/display.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { root, runMain } from './setup/steps.mjs'

await runMain(async () => {
  requireDisplay()
  await ensurePackages()
  const { binary, fallback } = await ensureElectron()
  requireSandbox(binary)
  await ensureBuild('desktop')
  const child = spawn(binary, [...sandboxArgs(), '.', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(fallback ? { TIDEMARK_RUNTIME_FALLBACK: '1' } : {}) }
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
})
