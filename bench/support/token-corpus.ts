// Owns the text that token benchmarks count: real prose and code of installed packages, the same on every machine with
// this lock file.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Code of one library, over a megabyte. */
export function codeCorpus(): string {
  return filesIn('node_modules/zod/src', /\.ts$/)
}

/** Code and prose in turn, 2.4 MB. */
export function mixedCorpus(): string {
  const [code, prose] = [codeCorpus(), filesIn('node_modules/ai/docs', /\.mdx$/)]
  return Array.from({ length: 400 }, (_, index) => {
    const at = index * 3_000
    return code.slice(at, at + 3_000) + prose.slice(at, at + 3_000)
  }).join('')
}

/** scripts/bench.mjs runs benchmarks from the root of the repository. */
function filesIn(folder: string, ending: RegExp): string {
  const root = join(process.cwd(), folder)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name))
  return names
    .toSorted()
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('\n')
}
