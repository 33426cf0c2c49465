// Owns which languages are coloured, under which names, and how each is loaded: on first use, one chunk each.
import type { LanguageRegistration } from 'shiki/core'

type Load = () => Promise<{ readonly default: LanguageRegistration[] }>

const LANGUAGES: Readonly<
  Record<string, { readonly label: string; readonly load: Load; readonly names: readonly string[] }>
> = {
  c: { label: 'C', load: () => import('shiki/langs/c.mjs'), names: ['h'] },
  clojure: { label: 'Clojure', load: () => import('shiki/langs/clojure.mjs'), names: ['clj'] },
  cpp: { label: 'C++', load: () => import('shiki/langs/cpp.mjs'), names: ['c++', 'cc', 'cxx', 'hpp', 'hh'] },
  csharp: { label: 'C#', load: () => import('shiki/langs/csharp.mjs'), names: ['cs', 'c#'] },
  css: { label: 'CSS', load: () => import('shiki/langs/css.mjs'), names: [] },
  dart: { label: 'Dart', load: () => import('shiki/langs/dart.mjs'), names: [] },
  diff: { label: 'Diff', load: () => import('shiki/langs/diff.mjs'), names: ['patch'] },
  docker: { label: 'Dockerfile', load: () => import('shiki/langs/docker.mjs'), names: ['dockerfile'] },
  elixir: { label: 'Elixir', load: () => import('shiki/langs/elixir.mjs'), names: ['ex', 'exs'] },
  go: { label: 'Go', load: () => import('shiki/langs/go.mjs'), names: ['golang'] },
  graphql: { label: 'GraphQL', load: () => import('shiki/langs/graphql.mjs'), names: ['gql'] },
  haskell: { label: 'Haskell', load: () => import('shiki/langs/haskell.mjs'), names: ['hs'] },
  html: { label: 'HTML', load: () => import('shiki/langs/html.mjs'), names: ['htm'] },
  ini: { label: 'INI', load: () => import('shiki/langs/ini.mjs'), names: ['conf', 'properties'] },
  java: { label: 'Java', load: () => import('shiki/langs/java.mjs'), names: [] },
  javascript: { label: 'JavaScript', load: () => import('shiki/langs/javascript.mjs'), names: ['js', 'mjs', 'cjs'] },
  json: { label: 'JSON', load: () => import('shiki/langs/json.mjs'), names: [] },
  jsonc: { label: 'JSON', load: () => import('shiki/langs/jsonc.mjs'), names: ['json5', 'jsonl'] },
  jsx: { label: 'JSX', load: () => import('shiki/langs/jsx.mjs'), names: [] },
  kotlin: { label: 'Kotlin', load: () => import('shiki/langs/kotlin.mjs'), names: ['kt', 'kts'] },
  lua: { label: 'Lua', load: () => import('shiki/langs/lua.mjs'), names: [] },
  makefile: { label: 'Makefile', load: () => import('shiki/langs/makefile.mjs'), names: ['make'] },
  markdown: { label: 'Markdown', load: () => import('shiki/langs/markdown.mjs'), names: ['md', 'mdx'] },
  nix: { label: 'Nix', load: () => import('shiki/langs/nix.mjs'), names: [] },
  php: { label: 'PHP', load: () => import('shiki/langs/php.mjs'), names: [] },
  powershell: { label: 'PowerShell', load: () => import('shiki/langs/powershell.mjs'), names: ['ps1', 'pwsh'] },
  python: { label: 'Python', load: () => import('shiki/langs/python.mjs'), names: ['py', 'pyi'] },
  ruby: { label: 'Ruby', load: () => import('shiki/langs/ruby.mjs'), names: ['rb'] },
  rust: { label: 'Rust', load: () => import('shiki/langs/rust.mjs'), names: ['rs'] },
  scala: { label: 'Scala', load: () => import('shiki/langs/scala.mjs'), names: [] },
  scss: { label: 'SCSS', load: () => import('shiki/langs/scss.mjs'), names: ['sass'] },
  shellscript: {
    label: 'Shell',
    load: () => import('shiki/langs/shellscript.mjs'),
    names: ['bash', 'sh', 'zsh', 'shell']
  },
  shellsession: { label: 'Shell', load: () => import('shiki/langs/shellsession.mjs'), names: ['console'] },
  sql: { label: 'SQL', load: () => import('shiki/langs/sql.mjs'), names: [] },
  svelte: { label: 'Svelte', load: () => import('shiki/langs/svelte.mjs'), names: [] },
  swift: { label: 'Swift', load: () => import('shiki/langs/swift.mjs'), names: [] },
  toml: { label: 'TOML', load: () => import('shiki/langs/toml.mjs'), names: [] },
  tsx: { label: 'TSX', load: () => import('shiki/langs/tsx.mjs'), names: [] },
  typescript: { label: 'TypeScript', load: () => import('shiki/langs/typescript.mjs'), names: ['ts', 'mts', 'cts'] },
  vue: { label: 'Vue', load: () => import('shiki/langs/vue.mjs'), names: [] },
  xml: { label: 'XML', load: () => import('shiki/langs/xml.mjs'), names: ['svg', 'plist'] },
  yaml: { label: 'YAML', load: () => import('shiki/langs/yaml.mjs'), names: ['yml'] },
  zig: { label: 'Zig', load: () => import('shiki/langs/zig.mjs'), names: [] }
}

const BY_NAME = new Map(
  Object.entries(LANGUAGES).flatMap(([id, language]) => [id, ...language.names].map((name) => [name, id] as const))
)

/** The language that a name or a file extension stands for, or null when it is not coloured. */
export function languageOf(name: string): string | null {
  return BY_NAME.get(name.toLowerCase()) ?? null
}

/** The language of a file by its name, or null. */
export function languageOfPath(path: string): string | null {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return languageOf(file) ?? languageOf(file.slice(file.lastIndexOf('.') + 1))
}

/** What a person reads above a block: the language's name, else the name as written. */
export function languageLabel(name: string): string {
  const id = languageOf(name)
  return (id === null ? undefined : LANGUAGES[id]?.label) ?? (name === '' ? 'Text' : name)
}

/** Loads the grammar of a language that languageOf named. */
export async function loadLanguage(id: string): Promise<LanguageRegistration[]> {
  const language = LANGUAGES[id]
  if (language === undefined) throw new Error(`No grammar is known for ${id}`)
  return (await language.load()).default
}
