// Owns the plans that look at the project as a whole: overview and listing.
import { type DemoPlan, type DemoResult, callOne, whyNot } from './demo-call'
import { extensionOf, introductionOf, languageOf, outlineOf } from './describe-source'
import type { PlanContext } from './plan-context'
import { type FileText, fileOf, outputOf } from './tool-facts'
import { bullets, code, fence, head, joined, plural } from './wording'

/** Root and first folders, which the whole tree of a large project would drown (and fill the demo's window with). */
const TOP_LEVELS = '{*,*/*}'
/** Files that say what a project is, best first. */
const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'composer.json',
  'pom.xml',
  'setup.py',
  'Makefile'
]
const ENTRIES =
  /^(?:src\/)?(?:main|index|app|cli|lib|server|__main__)\.(?:tsx?|mjs|cjs|jsx?|py|rs|go|rb)$|^cmd\/[\w-]+\/main\.go$/

export function* planOverview({ light }: PlanContext): DemoPlan {
  const top = yield* callOne(
    { toolName: 'glob', input: { pattern: TOP_LEVELS } },
    {
      think: 'An overview starts with what is there: I list the top, then read the files that describe the project.',
      say: 'I look at what is here first.'
    }
  )
  const isDeep = outputOf('glob', top)?.total === 0
  const deeper = { toolName: 'glob', input: { pattern: '**/*' } }
  const found = isDeep ? yield* callOne(deeper, { think: 'Nothing at the top; perhaps deeper.' }) : top
  const listing = outputOf('glob', found)
  if (listing === null) return `I cannot look at the project: ${whyNot(found, 'glob')}.`
  if (listing.total === 0)
    return 'The project folder is empty: there is nothing to describe yet. I could create a first file, if you tell me which.'
  const shallow = listing.paths.toSorted((a, b) => depth(a) - depth(b) || a.localeCompare(b, 'en'))
  const manifest = MANIFESTS.map((name) => shallow.find((path) => path === name)).find((path) => path !== undefined)
  const readme = shallow.find((path) => /^readme(?:\.\w+)?$/i.test(path)) ?? shallow.find((path) => /\.md$/i.test(path))
  const wanted = [readme, manifest].filter((path) => path !== undefined)
  const results = yield {
    think: `${plural(listing.total, 'file')}. ${wanted.length === 0 ? 'Nothing describes the project, so the code must.' : `${joined(wanted)} should say what it is.`}`,
    say: '',
    calls: wanted.map((path) => ({ toolName: 'file_read', input: { path, limit: light ? 30 : 80 } }))
  }
  const files = results.flatMap((result) => fileOf(result) ?? [])
  const about = manifestFacts(files.find((file) => file.path === manifest || file.path.endsWith(`/${manifest ?? '-'}`)))
  const entry = [about.main, ...shallow.filter((path) => ENTRIES.test(path))].find(
    (path) => path !== undefined && listing.paths.includes(path)
  )
  const program: DemoResult =
    entry === undefined
      ? { kind: 'absent' }
      : yield* callOne(
          { toolName: 'file_read', input: { path: entry, limit: light ? 30 : 100 } },
          { think: `${entry} looks like the place where it begins.` }
        )
  return overviewText(
    listing,
    about,
    files.find((file) => file.path === readme),
    fileOf(program)
  )
}

interface ManifestFacts {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly main?: string | undefined
  readonly scripts: readonly string[]
  readonly file?: FileText | undefined
}

function manifestFacts(file: FileText | undefined): ManifestFacts {
  if (file === undefined) return { scripts: [] }
  const text = file.lines.join('\n')
  const field = (name: string): string | undefined =>
    new RegExp(String.raw`^\s*"?${name}"?\s*[:=]\s*"([^"]+)"`, 'm').exec(text)?.[1]
  const scripts = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text)?.[1] ?? ''
  return {
    name: field('name') ?? /^module\s+(\S+)/m.exec(text)?.[1],
    description: field('description'),
    main: field('main')?.replace(/^\.\//, ''),
    scripts: [...scripts.matchAll(/"([\w:.-]+)"\s*:/g)].map((match) => match[1] ?? ''),
    file
  }
}

function overviewText(
  listing: { readonly paths: readonly string[]; readonly total: number },
  about: ManifestFacts,
  readme: FileText | undefined,
  entry: FileText | null
): string {
  const title = about.name ?? readme?.lines.map((line) => /^#\s+(.+)/.exec(line)?.[1]).find(Boolean) ?? 'This project'
  const says = about.description ?? (readme === undefined ? '' : introductionOf(readme.path, readme.lines))
  const facts = [
    `${plural(listing.total, 'file')} at the top${listing.paths.some((path) => path.includes('/')) ? ' and in its first folders' : ''}: ${joined(kindsOf(listing.paths))}.`
  ]
  const folders = foldersOf(listing.paths)
  if (folders.length > 0) facts.push(`Folders: ${joined(folders)}.`)
  if (about.scripts.length > 0)
    facts.push(
      `Scripts in ${code(about.file?.path ?? 'package.json')}: ${about.scripts.slice(0, 10).map(code).join(', ')}.`
    )
  if (readme !== undefined) {
    const headings = outlineOf(readme.path, readme.lines, 1)
      .slice(0, 8)
      .map((item) => item.name)
    facts.push(
      `${code(readme.path)} (${plural(readme.totalLines, 'line')})${headings.length === 0 ? '' : ` covers: ${headings.join(' · ')}`}.`
    )
  }
  if (entry !== null) {
    const names = outlineOf(entry.path, entry.lines, entry.firstLine).slice(0, 8)
    facts.push(
      `It begins in ${code(entry.path)} (${languageOf(entry.path)}, ${plural(entry.totalLines, 'line')})${names.length === 0 ? '' : ` with ${names.map((item) => code(item.name)).join(', ')}`}.`
    )
  }
  return `**${title}**${says === '' ? '' : ` — ${says}`}\n\n${bullets(facts)}`
}

function kindsOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(languageOf(path), (counts.get(languageOf(path)) ?? 0) + 1)
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1])
  const rest = sorted.slice(5).reduce((sum, [, count]) => sum + count, 0)
  return [...sorted.slice(0, 5).map(([kind, count]) => `${count} ${kind}`), ...(rest > 0 ? [`${rest} others`] : [])]
}

function foldersOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.includes('/') ? (path.split('/')[0] ?? '') : ''
    if (folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([folder, count]) => `${code(`${folder}/`)} (${count})`)
}

function depth(path: string): number {
  return path.split('/').length
}

export function* planList(intent: { pattern: string; countOnly: boolean }): DemoPlan {
  const found = yield* callOne(
    { toolName: 'glob', input: { pattern: intent.pattern } },
    { think: `Files are asked for, so I list what matches ${intent.pattern}.` }
  )
  const listing = outputOf('glob', found)
  if (listing === null) return `I cannot list the files: ${whyNot(found, 'glob')}.`
  const what = intent.pattern === '**/*' ? 'in this project' : `matching ${code(intent.pattern)}`
  if (listing.total === 0) return `There are no files ${what}.`
  const start = `There ${listing.total === 1 ? 'is' : 'are'} **${plural(listing.total, 'file')}** ${what}`
  if (intent.countOnly)
    return `${start}: ${joined(kindsOf(listing.paths))}${listing.truncated ? ' among those listed' : ''}.`
  const { text, left } = head(
    listing.paths.toSorted((a, b) => a.localeCompare(b, 'en')),
    40,
    2_000
  )
  const more = Math.max(left, listing.total - (listing.paths.length - left))
  const folders = more > 0 ? `\n\nBy folder: ${joined(foldersOf(listing.paths))}.` : ''
  return `${start}:\n\n${fence(text)}${more > 0 ? `\n\n… and ${more} more.${folders}` : ''}`
}

/** Text files worth reading whole, by their endings. */
export function isReadable(path: string): boolean {
  return languageOf(path) !== 'text' || ['', 'txt', 'cfg', 'ini', 'conf', 'env', 'lock'].includes(extensionOf(path))
}
