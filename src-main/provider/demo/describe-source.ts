// Owns saying what a file is from its name and lines alone: its language and an outline. Patterns, no parser:
// enough to name what is there, and every name it gives stands in the file.

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript (React)',
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript (React)',
  py: 'Python',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  sh: 'shell',
  md: 'Markdown',
  json: 'JSON',
  jsonc: 'JSON',
  yml: 'YAML',
  yaml: 'YAML',
  toml: 'TOML',
  html: 'HTML',
  css: 'CSS',
  scss: 'SCSS',
  sql: 'SQL',
  txt: 'plain text',
  lua: 'Lua',
  ex: 'Elixir',
  exs: 'Elixir',
  vue: 'Vue',
  svelte: 'Svelte'
}

export interface OutlineEntry {
  readonly line: number
  readonly name: string
}

export function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^makefile$/i.test(name)) return 'make'
  if (/^dockerfile/i.test(name)) return 'Docker'
  return LANGUAGES[extensionOf(path)] ?? 'text'
}

const DECLARATION =
  /^\s{0,4}(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|static\s+|abstract\s+|async\s+|pub(?:\([a-z]+\))?\s+|declare\s+)*(function\*?|class|interface|type|enum|const|let|def|fn|struct|trait|impl|func|module|namespace)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\w$]*)/u
const HEADING = /^(#{1,4})\s+(.+?)\s*#*$/
const KEY = /^(?: {2}|\t)?"?([\w@./-]+)"?\s*[:=]/

/** Declarations of a program, headings of a document, first keys of a configuration, with their lines. */
export function outlineOf(path: string, lines: readonly string[], firstLine: number): OutlineEntry[] {
  const kind = languageOf(path)
  const isDocument = kind === 'Markdown'
  const isData = ['JSON', 'YAML', 'TOML'].includes(kind)
  return lines.flatMap((text, index): OutlineEntry[] => {
    const line = firstLine + index
    if (isDocument) {
      const heading = HEADING.exec(text)?.[2]
      return heading === undefined ? [] : [{ line, name: heading }]
    }
    if (isData) {
      const key = KEY.exec(text)?.[1]
      return key === undefined ? [] : [{ line, name: key }]
    }
    const match = DECLARATION.exec(text)
    if (match?.[1] === undefined || match[2] === undefined) return []
    // A plain constant inside of a function says little.
    if (/^(?:const|let)$/.test(match[1]) && /^\s/.test(text)) return []
    return [{ line, name: `${match[1]} ${match[2]}` }]
  })
}

/** The first comment or paragraph: what the file says of itself; empty when it says nothing. */
export function introductionOf(path: string, lines: readonly string[]): string {
  const isDocument = ['Markdown', 'plain text'].includes(languageOf(path))
  const text: string[] = []
  for (const line of lines.slice(0, 40)) {
    const clean = isDocument
      ? /^(?:#|!\[|\[!|<|---|```|\s*$)/.test(line)
        ? ''
        : line.trim()
      : (/^\s*(?:\/\/+|#(?!!)|\/?\*+|--|"""|''')\s*(.*?)(?:\*\/|""")?\s*$/.exec(line)?.[1] ?? '')
    if (clean !== '') text.push(clean)
    else if (text.length > 0 || (!isDocument && line.trim() !== '' && !line.startsWith('#!'))) break
  }
  const joined = text.join(' ')
  return joined.length > 280 ? `${joined.slice(0, 280).trimEnd()}…` : joined
}
