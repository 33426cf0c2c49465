// Owns matching a path against a glob: `*`, `?`, `[a-z]`, `{a,b}`, `**` for any folders, `\` to escape.
// Hidden names match like others. Pure, and linear in glob times path: no glob can make it hang.

/** Longest glob, and most alternatives that its braces may stand for. */
const MAX_GLOB_CHARS = 1_024
const MAX_ALTERNATIVES = 256

type Token = { readonly kind: 'star' } | { readonly kind: 'one'; accepts(char: string): boolean }
type Segment = '**' | readonly Token[]

/** True when a path (forward slashes, relative) matches. */
export type PathMatcher = (path: string) => boolean

/** Compiles a glob, or null when it is too long or stands for too many alternatives. */
export function compilePathGlob(glob: string): PathMatcher | null {
  if (glob.length > MAX_GLOB_CHARS) return null
  const alternatives = expandBraces(glob.normalize('NFC').replace(/^\.\//, ''))
  if (alternatives === null) return null
  const compiled = alternatives.map((alternative) => alternative.split('/').map(segmentOf))
  return (path) => {
    const parts = path.normalize('NFC').replace(/^\.\//, '').split('/')
    return compiled.some((segments) => matchAll(segments, parts, (segment) => segment === '**', matchSegment))
  }
}

/** Escapes every character that is special in a glob. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{},!]/g, '\\$&')
}

function segmentOf(text: string): Segment {
  return text === '**' ? '**' : tokensOf([...text])
}

function matchSegment(segment: Segment, name: string): boolean {
  if (segment === '**') return false
  return matchAll(segment, [...name], (token) => token.kind === 'star', acceptsOne)
}

function acceptsOne(token: Token, char: string): boolean {
  return token.kind === 'one' && token.accepts(char)
}

/** Wildcard matching with one point to go back to, the last star: enough, since a star takes anything. */
function matchAll<Item>(
  pattern: readonly Item[],
  texts: readonly string[],
  isStar: (item: Item) => boolean,
  matches: (item: Item, text: string) => boolean
): boolean {
  let [at, text, star, starText] = [0, 0, -1, 0]
  while (text < texts.length) {
    const item = pattern[at]
    if (item !== undefined && isStar(item)) {
      star = at++
      starText = text
    } else if (item !== undefined && matches(item, texts[text] ?? '')) {
      at++
      text++
    } else if (star !== -1) {
      at = star + 1
      text = ++starText
    } else return false
  }
  return pattern.slice(at).every(isStar)
}

function tokensOf(chars: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    const set = char === '[' ? setAt(chars, at) : null
    if (char === '*') tokens.push({ kind: 'star' })
    else if (char === '?') tokens.push({ kind: 'one', accepts: () => true })
    else if (set !== null) {
      tokens.push({ kind: 'one', accepts: set.accepts })
      at = set.end
    } else {
      const literal = char === '\\' && at + 1 < chars.length ? (chars[++at] ?? '') : char
      tokens.push({ kind: 'one', accepts: (other) => other === literal })
    }
  }
  return tokens
}

/** A character set that opens at `open`, or null when it never closes: then `[` stands for itself. */
function setAt(chars: readonly string[], open: number): { end: number; accepts(char: string): boolean } | null {
  const negated = chars[open + 1] === '!' || chars[open + 1] === '^'
  const first = open + (negated ? 2 : 1)
  const end = chars.indexOf(']', first + 1)
  if (end === -1) return null
  const ranges: (readonly [string, string])[] = []
  for (let at = first; at < end; at++) {
    const from = chars[at] ?? ''
    const isRange = chars[at + 1] === '-' && at + 2 < end
    ranges.push([from, isRange ? (chars[at + 2] ?? from) : from])
    if (isRange) at += 2
  }
  return { end, accepts: (char) => negated !== ranges.some(([from, to]) => char >= from && char <= to) }
}

/** All forms without braces, or null when there are too many. Braces without a comma stand for themselves. */
function expandBraces(glob: string): string[] | null {
  const pending = [{ glob, from: 0 }]
  const done: string[] = []
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const group = braceGroup(next.glob, next.from)
    if (group === null) done.push(next.glob)
    else
      for (const choice of group.choices)
        pending.push({ glob: next.glob.slice(0, group.start) + choice + next.glob.slice(group.end), from: group.start })
    if (pending.length + done.length > MAX_ALTERNATIVES) return null
  }
  return done
}

function braceGroup(glob: string, from: number): { start: number; end: number; choices: string[] } | null {
  for (let start = from; start < glob.length; start++) {
    if (glob[start] === '\\') start++
    else if (glob[start] === '{') {
      const group = closeGroup(glob, start)
      if (group !== null && group.choices.length > 1) return group
    }
  }
  return null
}

function closeGroup(glob: string, start: number): { start: number; end: number; choices: string[] } | null {
  const choices: string[] = []
  let [depth, choiceStart] = [0, start + 1]
  for (let at = start; at < glob.length; at++) {
    const char = glob[at]
    if (char === '\\') at++
    else if (char === '{') depth++
    else if (char === ',' && depth === 1) {
      choices.push(glob.slice(choiceStart, at))
      choiceStart = at + 1
    } else if (char === '}' && --depth === 0)
      return { start, end: at + 1, choices: [...choices, glob.slice(choiceStart, at)] }
  }
  return null
}
