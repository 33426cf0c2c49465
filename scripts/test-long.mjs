// `npm run test:long [-- VITEST ARGS]`: the unit tests with their long variants (fuzz with many
// runs, kill -9 loops), in the form that testing/long-form.ts names.
import { ensurePackages } from './setup/packages.mjs'
import { packageBin, run, runMain } from './setup/steps.mjs'

await runMain(async () => {
  await ensurePackages()
  process.exitCode = await run(process.execPath, [packageBin('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TIDEMARK_TESTS: 'long' }
  })
})
