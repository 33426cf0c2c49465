// `npm test`: everything, from a fresh clone: sets up what is missing, then checks, unit tests,
// stories and end-to-end tests. Goes on after a failure and ends in one line of totals.
import { ensureBuild } from './setup/build.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { runMain } from './setup/steps.mjs'
import { ensureTestPrograms } from './setup/system-libraries.mjs'
import {
  addCounts,
  closingLine,
  hasFiles,
  runChecks,
  runEndToEnd,
  runStories,
  runUnitTests
} from './setup/test-steps.mjs'

await runMain(async () => {
  await ensurePackages()
  await ensureTestPrograms()
  await ensureBuild('desktop')
  await ensureBuild('cli')
  const counts = [await runChecks(), await runUnitTests()]
  if (hasFiles('stories', '.stories.tsx')) counts.push(await runStories())
  if (hasFiles('e2e', '.electron.ts')) counts.push(await runEndToEnd())
  const total = addCounts(counts)
  process.stdout.write(`\n${closingLine(total)}\n`)
  process.exitCode = total.failed > 0 ? 1 : 0
})
