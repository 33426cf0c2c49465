// `npm run layers`: reads every import (static, dynamic, type-only, require) of every source file
// and fails on one that goes against the layer table below, on a source file over the size cap,
// on a file that only re-exports, and on a run that read no file at all. The compiler and the linter hold the same borders; this
// one also holds the order inside src-main. Decisions are pure; only `main` touches the disk.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Longest product file that is still read as one thing; past it, split by verb. */
export const MAX_LINES = 400

/** Which top-level folders a top-level folder may import. Folders absent here are not checked. */
const FOLDERS = {
  electron: ['electron', 'src-main', 'src-common'],
  'src-main': ['src-main', 'src-common'],
  'src-common': ['src-common'],
  'src-renderer': ['src-renderer', 'src-common'],
  stories: ['stories', 'src-renderer', 'src-common']
}

/** Order inside src-main: imports go to a smaller number only; equal numbers are siblings. */
const RANKS = {
  cli: 10,
  'create-app': 9,
  ipc: 8,
  session: 7,
  agents: 6,
  context: 6,
  compaction: 5,
  tools: 5,
  memory: 4,
  'history-search': 4,
  costs: 4,
  history: 3,
  settings: 3,
  provider: 3,
  files: 2
}

/** Packages that a folder must not import, types included. `node:` stands for every built-in. */
const BANNED_PACKAGES = {
  'src-main': ['electron', 'react', 'react-dom'],
  'src-renderer': ['electron', 'node:', 'tiktoken', 'ai', '@ai-sdk/'],
  stories: ['electron', 'node:'],
  electron: ['react', 'react-dom']
}

/** Packages that src-common may import: it must run anywhere. */
const COMMON_PACKAGES = ['zod']

const IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bvi\.(?:mock|importActual)\s*\(\s*)(['"])([^'"\n]+)\1/g

/** Every module specifier in a source text, comment lines left out. */
export function importsOf(text) {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  return [...code.matchAll(IMPORT)].map((match) => match[2])
}

/** A file that only re-exports hides where things live and drags whole folders into a bundle. */
function isBarrel(text) {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').trim()
  return code !== '' && code.replace(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^'"]*(['"])[^'"]*\1;?/g, '').trim() === ''
}

function isTest(file) {
  return /\.test\.tsx?$/.test(file) || file.split('/').includes('testing')
}

/** The name in the rank table of a file inside src-main. */
function partOf(file) {
  return file
    .split('/')[1]
    .replace(/\.tsx?$/, '')
    .replace(/\.test$/, '')
}

/** The repository path that a specifier points to, or null for a package. */
export function targetOf(file, specifier) {
  if (specifier.startsWith('@common/')) return `src-common/${specifier.slice('@common/'.length)}`
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  return null
}

function packageProblem(file, specifier) {
  const folder = file.split('/')[0]
  const matches = (name) =>
    specifier === name || (/[:/]$/.test(name) ? specifier.startsWith(name) : specifier.startsWith(`${name}/`))
  if ((BANNED_PACKAGES[folder] ?? []).some(matches)) return `${folder} must not import ${specifier}`
  if (folder === 'src-common' && !isTest(file) && !COMMON_PACKAGES.some(matches))
    return `src-common may import ${COMMON_PACKAGES.join(', ')} only, not ${specifier}`
  return null
}

function pathProblem(file, target) {
  const [from, to] = [file.split('/')[0], target.split('/')[0]]
  if (target.split('/').includes('testing') && isTest(file)) return null
  if (target.split('/').includes('testing') && from !== 'stories') return `product code must not import ${target}`
  if (to in FOLDERS && !FOLDERS[from].includes(to)) return `${from} must not import ${to}`
  if (from !== 'src-main' || to !== 'src-main' || file.split('/').includes('testing')) return null
  const [fromPart, toPart] = [partOf(file), partOf(target)]
  for (const part of [fromPart, toPart])
    if (!(part in RANKS)) return `src-main/${part} has no place in the layer table of scripts/check-layers.mjs`
  if (fromPart === toPart || RANKS[fromPart] > RANKS[toPart]) return null
  const why = RANKS[fromPart] === RANKS[toPart] ? 'its sibling' : 'above it'
  return `src-main/${fromPart} must not import src-main/${toPart}, which is ${why}`
}

/** All problems of one file. `file` is its repository path with forward slashes. */
export function problemsOf(file, text) {
  const problems = []
  for (const specifier of importsOf(text)) {
    const target = targetOf(file, specifier)
    const problem = target === null ? packageProblem(file, specifier) : pathProblem(file, target)
    if (problem) problems.push(`${file}: ${problem}`)
  }
  if (isBarrel(text)) problems.push(`${file}: only re-exports; import from the files themselves`)
  const lines = text.split('\n').length
  if (!isTest(file) && lines > MAX_LINES) problems.push(`${file}: ${lines} lines, over ${MAX_LINES}; split it by verb`)
  return problems
}

/** Problems of all sources under `root`, and how many files were read. */
export function checkTree(root) {
  const problems = []
  let files = 0
  for (const folder of Object.keys(FOLDERS)) {
    const top = path.join(root, folder)
    if (!fs.existsSync(top)) continue
    for (const name of fs.readdirSync(top, { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue
      files++
      const file = path.posix.join(folder, name.split(path.sep).join('/'))
      problems.push(...problemsOf(file, fs.readFileSync(path.join(top, name), 'utf8')))
    }
  }
  if (files === 0) problems.push('no source file was read: the check looked in the wrong place')
  return { problems, files }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { problems, files } = checkTree(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
  for (const problem of problems) console.error(problem)
  console.log(`layers: ${files} files read, ${problems.length} problems`)
  process.exit(problems.length > 0 ? 1 : 0)
}
