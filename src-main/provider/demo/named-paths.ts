// Owns finding paths, globs and addresses that a person named in a request. Pure; whether they exist is for
// the tools to say.
import { type QuotedSpan, spansIn, unmask } from './quoted-text'

const WELL_KNOWN = /^(?:readme|license|licence|makefile|dockerfile|changelog|contributing|agents\.md|claude\.md)$/i

/** A name with an ending, or with a slash; not a version, an abbreviation or an address. */
const PATH = /^(?:~|\.{1,2})?\/?(?:[\w@.+-]+\/)*[\w@+-]*(?:\.[\w+-]+)*\.?[\w+-]+\/?$/

/** Words that look like a file name and are none. */
const NOT_PATHS =
  /^(?:e\.g|i\.e|etc|vs|node\.js|next\.js|vue\.js|nuxt\.js|three\.js|d3\.js|and\/or|true\/false|yes\/no|tcp\/ip|ci\/cd|i\/o|n\/a)$/i

export function pathsIn(masked: string, spans: readonly QuotedSpan[]): string[] {
  const quoted = spansIn(masked, spans)
    .map((span) => span.text.trim())
    .filter(isPath)
  const plain = unmask(masked.replace(/⟦\d+⟧/g, ' '), spans)
    .split(/[\s,;()[\]]+/)
    .map((word) => word.replace(/[?!:.]+$/, '').replace(/^@(?=[\w.-]+[./])/, ''))
    .filter(isPath)
  return [...new Set([...quoted, ...plain])]
}

function isPath(word: string): boolean {
  if (word === '' || word.length > 300 || /\s/.test(word) || word.includes('*') || /^[a-z]+:\/\//i.test(word))
    return false
  if (WELL_KNOWN.test(word)) return true
  if (NOT_PATHS.test(word) || !PATH.test(word)) return false
  if (word.includes('/')) return /[\p{L}\p{N}]/u.test(word)
  // One name: an ending of letters and digits that is no number, and a stem.
  const match = /^(\.?[\w@+-]+(?:\.[\w+-]+)*)\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(word)
  if (/^\.[a-z][\w.-]+$/i.test(word)) return true
  return match !== null && !/^\d+$/.test(match[1] ?? '')
}

/** A glob that the person wrote, or null. */
export function globIn(masked: string, spans: readonly QuotedSpan[]): string | null {
  const words = unmask(masked, spans).split(/[\s,;()]+/)
  return words.find((word) => /^[\w./*?{},@+-]*\*[\w./*?{},@+-]*$/.test(word) && word.length < 200) ?? null
}

/** Names of languages and kinds of files, as people say them, and their globs. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:typescript|ts|tsx)\b/i, '**/*.{ts,tsx}'],
  [/\b(?:javascript|js|jsx)\b/i, '**/*.{js,mjs,cjs,jsx}'],
  [/\bpython\b|\bpy files?\b/i, '**/*.py'],
  [/\brust\b/i, '**/*.rs'],
  [/\b(?:golang|go) (?:files?|code|sources?)\b/i, '**/*.go'],
  [/\bjava\b/i, '**/*.java'],
  [/\b(?:markdown|md|docs?|documentation)\b/i, '**/*.md'],
  [/\bjson\b/i, '**/*.json'],
  [/\b(?:yaml|yml)\b/i, '**/*.{yml,yaml}'],
  [/\bcss\b/i, '**/*.{css,scss}'],
  [/\bhtml\b/i, '**/*.html'],
  [/\b(?:shell|bash) (?:scripts?|files?)\b/i, '**/*.sh'],
  [/\btests?\b(?! (?:pass|fail))/i, '**/*{test,spec}*'],
  [/\bconfig(?:uration)?\b/i, '**/*config*']
]

/** The glob for a kind of files named in words, or null. */
export function globOfKind(text: string): string | null {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** The folder named in the text ("in src", "under src/lib"), without its last slash, or null. */
export function folderIn(masked: string, spans: readonly QuotedSpan[]): string | null {
  const match =
    /\b(?:in|under|inside|of|from|within)\s+(?:the\s+)?(?:folder\s+|directory\s+)?([\w@./+-]+|⟦\d+⟧)(?:\s+(?:folder|directory))?/i.exec(
      masked
    )
  const named =
    match?.[1] === undefined
      ? null
      : unmask(match[1], spans)
          .replace(/\/+$/, '')
          .replace(/[.?!,]+$/, '')
  if (
    named === null ||
    named === '' ||
    /^(?:the|this|here|it|project|repo(?:sitory)?|that|all|my|our|each|every|\.)$/i.test(named)
  )
    return null
  return /\.[a-z0-9]{1,8}$/i.test(named) ? null : named.replace(/^\.\//, '')
}

export function urlIn(text: string): string | null {
  return /\bhttps?:\/\/[^\s<>"')\]]+/i.exec(text)?.[0].replace(/[.,;:!?]+$/, '') ?? null
}
