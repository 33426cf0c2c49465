// `npm run bench -- NAME [--quick] [ARGS]`: runs bench/NAME.ts. Packages that only benchmarks
// compare against and that compile native code live in bench/package.json and are installed when
// the first benchmark runs, so that nobody else waits for a compiler.
import fs from 'node:fs'
import path from 'node:path'
import { ensureBenchPackages, ensurePackages } from './setup/packages.mjs'
import { packageBin, root, run, runMain, SetupError } from './setup/steps.mjs'

const folder = path.join(root, 'bench')

function available() {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
}

await runMain(async () => {
  const [name, ...args] = process.argv.slice(2)
  if (!name || !available().includes(name))
    throw new SetupError(`usage: npm run bench -- NAME [--quick]\nbenchmarks: ${available().join(', ') || 'none yet'}`)
  await ensurePackages()
  if (fs.readFileSync(path.join(folder, `${name}.ts`), 'utf8').includes('better-sqlite3')) await ensureBenchPackages()
  process.exitCode = await run(process.execPath, [packageBin('tsx/dist/cli.mjs'), `bench/${name}.ts`, ...args], {
    stdio: 'inherit'
  })
})
