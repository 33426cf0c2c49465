// `npm run e2e [-- PLAYWRIGHT ARGS]`: the end-to-end tests alone, e.g. `-- security` for one file.
import { ensureBuild } from './setup/build.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { runMain } from './setup/steps.mjs'
import { ensureTestPrograms } from './setup/system-libraries.mjs'
import { runPlaywright } from './setup/test-steps.mjs'

await runMain(async () => {
  await ensurePackages()
  await ensureTestPrograms()
  await ensureBuild('desktop')
  process.exitCode = await runPlaywright(process.argv.slice(2))
})
