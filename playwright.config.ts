// End-to-end tests: the real app in Electron, one worker. ELECTRON_OVERRIDE_DIST_PATH is set by
// scripts/e2e.mjs to the runtime that was found; Playwright resolves `electron` through it.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.electron.ts',
  // Takes pictures, proves nothing: on demand only, so that it is not counted as skipped.
  testIgnore: process.env['README_IMAGE'] === '1' ? [] : ['readme-image.electron.ts'],
  outputDir: 'test-results',
  workers: 1,
  timeout: 60_000,
  // What is waited for comes or does not; five seconds are too few where a machine is shared.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  // A shared machine may stall for seconds; a second try there is told as flaky, never hidden.
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list']]
})
