// `npm run --silent tidemark -- COMMAND`: the command line, built first when it is missing or older
// than its sources. Nothing of that goes to stdout. The program runs in this very process, so exit
// code, streams and signals are its own; it resolves relative paths against INIT_CWD.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from './setup/build.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { root, runMain } from './setup/steps.mjs'

await runMain(async () => {
  await ensurePackages()
  await ensureBuild('cli')
  const program = path.join(root, 'out/cli/tidemark.cjs')
  process.argv[1] = program
  await import(pathToFileURL(program).href)
})
