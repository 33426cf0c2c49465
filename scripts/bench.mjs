// `npm run bench -- NAME [--quick] [ARGS]`: runs bench/NAME.ts. Packages that only benchmarks
// compare against and that compile native code live in bench/package.json and are installed when
// the first benchmark runs, so that nobody else waits for a compiler. Benchmarks named app-… drive the
// built app in Electron.
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuild } from './setup/build.mjs'
import { ensureBenchPackages, ensurePackages } from './setup/packages.mjs'
import { packageBin, root, run, runMain, SetupError } from './setup/steps.mjs'
import { ensureTestPrograms } from './setup/system-libraries.mjs'
import { runInElectron } from './setup/test-steps.mjs'

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
  const program = [packageBin('tsx/dist/cli.mjs'), `bench/${name}.ts`, ...args]
  if (name.startsWith('app-')) {
    await ensureTestPrograms()
    await ensureBuild('desktop')
    process.exitCode = await runInElectron(process.execPath, program)
  } else process.exitCode = await run(process.execPath, program, { stdio: 'inherit' })
})
