// Owns folders that Electron can start as an app: a copy of the built product, so that a build made meanwhile
// changes nothing under a measurement, and bare windows to compare with.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from './temporary'

/** scripts/bench.mjs runs benchmarks from the root of the repository and builds the app first. */
const ROOT = process.cwd()

/**
 * A copy of the built app. `TIDEMARK_BENCH_BUILD` names another build's folder (what `out/` holds), to measure one
 * change against another.
 */
export function builtApp(): string {
  const folder = temporaryFolder('app')
  const build = resolve(ROOT, process.env['TIDEMARK_BENCH_BUILD'] ?? 'out')
  for (const part of ['main', 'preload', 'renderer'])
    cpSync(join(build, part), join(folder, 'out', part), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, productName, version, main } = manifest
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, productName, version, main }))
  // The one package that is not bundled is found from here.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

/** A bare window in Electron: bench/support/bare/main.cjs beside a page that was built into `folder`. */
export function bareApp(folder: string): string {
  for (const file of ['main.cjs', 'preload.cjs']) cpSync(join(ROOT, 'bench/support/bare', file), join(folder, file))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', version: '0.0.0', main: 'main.cjs' }))
  return folder
}
