// Unit tests: colocated beside the sources, in plain Node, no browser and no Electron.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@common': resolve(import.meta.dirname, 'src-common') } },
  test: {
    include: ['{src-common,src-main,src-renderer,electron,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**'],
    environment: 'node',
    // A shared machine may stall a real process for seconds; see playwright.config.ts.
    retry: process.env['CI'] ? 1 : 0,
    // Tests of the command line run the built program.
    globalSetup: ['src-main/cli/testing/build-cli.ts'],
    // A test that reaches for the real binary must fail at once, not start a download.
    env: { ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' }
  }
})
