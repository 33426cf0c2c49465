// The steps of `npm run check` and `npm test`, and how each is counted. A step's output is
// streamed; its numbers come from a JSON report in a temporary folder. A check without tests (lint,
// types) counts as one failure when it fails. A test step that ran no test is a failure too.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { assembledElectron, ensureElectron } from './electron.mjs'
import { isSupported } from '../electron-runtime.mjs'
import { hasProgram, packageBin, run, runQuietly } from './steps.mjs'

/** `{ passed, failed, skipped }` of a Vitest JSON report. A suite that could not load is a failure. */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests
  }
}

/** `{ passed, failed, skipped }` of a Playwright JSON report; a flaky test passed in the end. */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped }
}

/** Adds up counts. */
export function addCounts(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const one of counts) for (const key of Object.keys(sum)) sum[key] += one[key]
  return sum
}

/** The closing line. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** What a test step counts as, from its exit code and its counts (null: it left no report). */
export function judge(code, counts) {
  if (counts === null) return { passed: 0, failed: 1, skipped: 0 }
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1 }
  // Failed without a failed test: an unhandled error, a broken set-up. It must not vanish.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function node(program, ...args) {
  return { command: process.execPath, args: [packageBin(program), ...args] }
}

/** Checks that have no tests in them, in the order of the likeliest and cheapest failure. */
const CHECKS = [
  { name: 'format', ...node('oxfmt/bin/oxfmt', '--check', '.') },
  { name: 'lint', ...node('oxlint/bin/oxlint', '--type-aware') },
  { name: 'layers', command: process.execPath, args: ['scripts/check-layers.mjs'] },
  { name: 'types', command: process.execPath, args: ['scripts/typecheck.mjs'] },
  { name: 'dead code', ...node('knip/bin/knip.js') }
]

/**
 * The compiler and the type-aware linter are Go programs, whose heap may triple here before they collect it (the
 * default is to double): a fifth less processor time, for 100 MB.
 */
const CHECKS_ENVIRONMENT = { ...process.env, GOGC: '200' }

/** The heading of a step. */
function title(name) {
  return `\n━━ ${name}\n`
}

/**
 * Runs all checks, also after one failed, and returns their counts. A check says all that it found at once, so that
 * tests may run beside it.
 */
export async function runChecks() {
  const counts = []
  for (const { name, command, args } of CHECKS) {
    const { code, output } = await runQuietly(command, args, { env: CHECKS_ENVIRONMENT })
    process.stdout.write(`${title(name)}${output}`)
    counts.push({ passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 })
  }
  return addCounts(counts)
}

/** Runs a test program that writes a JSON report to the path it is given; returns its counts. */
async function runReported(name, start, count) {
  process.stdout.write(title(name))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const code = await start(file)
    const report = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null
    return judge(code, report && count(report))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Vitest. Its output is piped: to a terminal it would redraw lines that are another step's. */
function vitest(name, args, env = {}) {
  const { command, args: program } = node('vitest/vitest.mjs', 'run', ...args)
  const start = (file) =>
    run(command, [...program, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env }
    })
  return runReported(name, start, countVitest)
}

/** The unit tests without those that start processes, each with a pinned selection of what it tries. */
export function runQuickTests() {
  return vitest('unit tests', [], { TIDEMARK_TESTS: 'quick' })
}

/** All unit tests, each with all that it tries. */
export function runUnitTests() {
  return vitest('unit and process tests', [], { TIDEMARK_TESTS: 'full' })
}

/** The stories, each rendered and played in Chromium. */
export function runStories() {
  return vitest('stories', ['-c', 'vitest.stories.config.ts'])
}

/** Playwright, for tests in Electron; `args` go to Playwright. */
export function runPlaywright(args, env = {}) {
  const { command, args: program } = node('@playwright/test/cli.js', 'test', ...args)
  return runInElectron(command, program, env)
}

/** Runs a program that starts Electron: on the virtual display where there is one. */
export async function runInElectron(command, program, env = {}) {
  // Tests run on the assembled Electron where it exists, so that every machine sees the same one.
  const installed = process.env.E2E_ELECTRON === 'installed' || !isSupported()
  const binary = installed ? (await ensureElectron()).binary : await assembledElectron()
  const [first, ...rest] = hasProgram('xvfb-run')
    ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24', command, ...program]
    : [command, ...program]
  return run(first, rest, {
    stdio: ['ignore', 1, 2],
    env: { ...process.env, ...env, ELECTRON_OVERRIDE_DIST_PATH: path.dirname(binary) }
  })
}

/** The end-to-end tests in Electron. */
export function runEndToEnd() {
  const start = (file) => runPlaywright(['--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file })
  return runReported('end-to-end tests', start, countPlaywright)
}
