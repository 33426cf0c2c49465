// `npm test`: everything, from a fresh clone: sets up what is missing, then checks, unit and process
// tests, stories and end-to-end tests. Goes on after a failure and ends in one line of totals, whatever
// happens; a set-up step that fails counts as one failure.
import { ensureBuild } from './setup/build.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { SetupError } from './setup/steps.mjs'
import { ensureTestPrograms } from './setup/system-libraries.mjs'
import { addCounts, closingLine, runChecks, runEndToEnd, runStories, runUnitTests } from './setup/test-steps.mjs'

const counts = []

/** Runs a step and keeps its counts; false when its set-up failed. */
async function attempt(work) {
  try {
    counts.push((await work()) ?? { passed: 0, failed: 0, skipped: 0 })
    return true
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error)
    counts.push({ passed: 0, failed: 1, skipped: 0 })
    return false
  }
}

if ((await attempt(ensurePackages)) && (await attempt(ensureTestPrograms))) {
  const built = await attempt(() => ensureBuild('desktop'))
  await attempt(() => ensureBuild('cli'))
  await attempt(runChecks)
  await attempt(runUnitTests)
  await attempt(runStories)
  if (built) await attempt(runEndToEnd)
}
const total = addCounts(counts)
process.stdout.write(`\n${closingLine(total)}\n`)
process.exitCode = total.failed > 0 ? 1 : 0
