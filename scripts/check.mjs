// `npm run check`: format, lint, layers, types, dead code and unit tests; under a minute.
import { ensurePackages } from './setup/packages.mjs'
import { runMain } from './setup/steps.mjs'
import { addCounts, closingLine, runChecks, runUnitTests } from './setup/test-steps.mjs'

await runMain(async () => {
  await ensurePackages()
  const counts = addCounts([await runChecks(), await runUnitTests()])
  process.stdout.write(`\n${closingLine(counts)}\n`)
  process.exitCode = counts.failed > 0 ? 1 : 0
})
