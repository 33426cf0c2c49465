// `npm run check`: format, lint, layers, types, dead code and, beside them, the quick unit tests; under a minute.
import { ensurePackages } from './setup/packages.mjs'
import { runMain } from './setup/steps.mjs'
import { addCounts, closingLine, runChecks, runQuickTests } from './setup/test-steps.mjs'

await runMain(async () => {
  await ensurePackages()
  const counts = addCounts(await Promise.all([runQuickTests(), runChecks()]))
  process.stdout.write(`\n${closingLine(counts)}\n`)
  process.exitCode = counts.failed > 0 ? 1 : 0
})
