// `npm run build`: the desktop app and the command line, whether or not they are current.
import { ensureBuild } from './setup/build.mjs'
import { runMain } from './setup/steps.mjs'

await runMain(async () => {
  await ensureBuild('desktop', { force: true })
  await ensureBuild('cli', { force: true })
})
