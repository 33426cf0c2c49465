// Unit tests: colocated beside the sources, in plain Node, no browser and no Electron.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { inForm, isQuick } from './src-main/history/testing/long-form.ts'

/** Tests that start processes of their own, kill them or fill disks: too slow for every small change. */
const PROCESS_TESTS = '**/*.process.test.ts'

export default defineConfig({
  resolve: { alias: { '@common': resolve(import.meta.dirname, 'src-common') } },
  test: {
    include: ['{src-common,src-main,src-renderer,electron,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', ...(isQuick ? [PROCESS_TESTS] : [])],
    environment: 'node',
    // No test mocks a module or changes what another sees, so the files of a worker share its modules: that halves
    // the processor time. Every core works, also on a machine that has two.
    isolate: false,
    maxWorkers: '100%',
    // Tests wait for disks and processes; a busy machine makes them slow, not wrong.
    testTimeout: inForm({ quick: 30_000, full: 120_000, long: 900_000 }),
    // A shared machine may stall a real process for seconds; see playwright.config.ts.
    retry: process.env['CI'] ? 1 : 0,
    // The tests of the command line run the built program; all of them are process tests.
    globalSetup: isQuick ? [] : ['src-main/cli/testing/build-cli.ts'],
    // A test that reaches for the real binary must fail at once, not start a download.
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' }
  }
})
