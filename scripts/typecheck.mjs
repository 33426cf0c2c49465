// `npm run typecheck [-- LAYER...]`: one compiler run for each layer, so that the compiler holds
// the layers (src-common sees neither DOM nor Node, src-main no DOM, src-renderer no Node).
// The root config, named `tests` here, covers colocated tests, end-to-end tests, benchmarks,
// scripts and configs.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const PROJECTS = {
  // First, for it takes longest.
  tests: '.',
  'src-common': 'src-common',
  'src-main': 'src-main',
  electron: 'electron',
  'src-renderer': 'src-renderer',
  stories: 'stories'
}

function hasSources(directory) {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .some((entry) =>
      entry.isDirectory()
        ? entry.name !== 'node_modules' && hasSources(path.join(directory, entry.name))
        : /\.tsx?$/.test(entry.name)
    )
}

function compile(name) {
  const project = path.join(root, PROJECTS[name])
  if (name !== 'tests' && !hasSources(project)) return Promise.resolve({ name, code: 0, output: 'no sources yet\n' })
  return new Promise((resolve) => {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const child = spawn(process.execPath, [tsc, '-p', project, '--pretty', 'false', '--singleThreaded'], { cwd: root })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ name, code: code ?? 1, output }))
  })
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in PROJECTS))
if (unknown.length > 0) {
  console.error(`unknown layer: ${unknown.join(', ')}; known: ${Object.keys(PROJECTS).join(', ')}`)
  process.exit(2)
}
const queue = wanted.length > 0 ? [...wanted] : Object.keys(PROJECTS)
let failed = 0
// Two at a time, each with one thread: the threads of one compiler check much of the same types again, which costs
// twice the processor time.
async function work() {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const result = await compile(name)
    if (result.code !== 0) failed++
    if (result.output) process.stdout.write(`── ${name}\n${result.output}`)
  }
}
await Promise.all([work(), work()])
process.exit(failed > 0 ? 1 : 0)
