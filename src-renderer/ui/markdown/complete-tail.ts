// Owns how the growing end of a streaming text is shown: markers that are still open are closed, and an
// end that may yet become something else is held back, so that nothing on screen flips its shape. Pure.
// Only for text that still grows: a settled text is shown as it is.

/** An end that is no word yet: a list marker, a rule, a heading or a fence in the making. */
const HELD_LINE = /(?:^|\n)[ \t]{0,3}(?:[-+*_=]{1,3}|\d{1,9}[.)]?|#{1,6}|>|`{1,2}|~{1,2}|\|)[ \t]*$/
/** The first lines of a table before its second is complete. */
const HELD_TABLE = /(?:^|\n\n|\n)(\|[^\n]*(?:\n[|\s:-]*)?)$/
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})/
/** Emphasis never spans these: the scan for open markers begins after the last one. */
const BLOCK_START = /\n[ \t]*\n|\n(?=[ \t]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|>|\|)[ \t])/g

/** The text to show for a text that still grows. */
export function completeTail(text: string): string {
  if (endsInFence(text)) return text
  const held = holdBack(text)
  const start = lastBlockStart(held)
  return held.slice(0, start) + closeMarkers(held.slice(start))
}

function endsInFence(text: string): boolean {
  let open: string | null = null
  for (const line of text.split('\n')) {
    const marker = FENCE_LINE.exec(line)?.[1]
    if (marker === undefined) continue
    if (open === null) open = marker
    else if (marker[0] === open[0] && marker.length >= open.length) open = null
  }
  return open !== null
}

function holdBack(text: string): string {
  const table = HELD_TABLE.exec(text)?.[1]
  if (table !== undefined && isTableStart(text, table)) return text.slice(0, text.length - table.length)
  const held = HELD_LINE.exec(text)
  return held === null ? text : text.slice(0, held.index)
}

/** True when the held lines are the first of their block: a row of a table that stands already is shown. */
function isTableStart(text: string, held: string): boolean {
  const before = text.slice(0, text.length - held.length)
  const lineBefore = before.slice(before.lastIndexOf('\n', before.length - 2) + 1)
  return !lineBefore.trimStart().startsWith('|')
}

function lastBlockStart(text: string): number {
  let start = 0
  for (const match of text.matchAll(BLOCK_START)) start = match.index + match[0].length
  return start
}

/** Closes code spans and emphasis, and shows a link that is not complete as its words alone. */
function closeMarkers(text: string): string {
  const open: string[] = []
  let linkAt = -1
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === '\\') {
      at += 2
      continue
    }
    if (character === '`') {
      const run = runAt(text, at, '`')
      const close = text.indexOf(run, at + run.length)
      if (close === -1)
        return at + run.length === text.length
          ? text.slice(0, at) + closersOf(open)
          : withEnd(text, run + closersOf(open))
      at = close + run.length
      continue
    }
    if (character === '*' || character === '_' || character === '~') {
      const run = runAt(text, at, character)
      toggle(open, run, text[at - 1], text[at + run.length])
      at += run.length
      continue
    }
    if (character === '[') linkAt = text[at - 1] === '!' ? at - 1 : at
    else if (character === ']' && linkAt >= 0) {
      const next = text[at + 1]
      if (next === '(') {
        const close = text.indexOf(')', at)
        if (close === -1) return withEnd(wordsOfLink(text, linkAt, at), closersOf(open))
        at = close
        linkAt = -1
      } else if (next !== undefined) linkAt = -1
    }
    at += 1
  }
  if (linkAt >= 0) return withEnd(wordsOfLink(text, linkAt, text.length), closersOf(open))
  return withEnd(text, closersOf(open))
}

function runAt(text: string, at: number, character: string): string {
  let end = at
  while (text[end] === character) end += 1
  return text.slice(at, end)
}

/** Opens or closes emphasis as a run of markers says; a run inside a word with `_`, or a lone `~`, is none. */
function toggle(open: string[], run: string, before: string | undefined, after: string | undefined): void {
  if (run[0] === '~' && run.length !== 2) return
  const canClose = before !== undefined && !/\s/.test(before)
  const canOpen = after === undefined || !/\s/.test(after)
  if (run[0] === '_' && before !== undefined && after !== undefined && /\w/.test(before) && /\w/.test(after)) return
  const left = canClose ? closeWith(open, run) : run
  if (left === '' || !canOpen || (canClose && left !== run)) return
  if (left.length >= 3 && left[0] !== '~') open.push(left[0] ?? '', left.slice(0, 2))
  else open.push(left)
}

/** Closes what a run can close, innermost first; gives back the markers that are left. */
function closeWith(open: string[], run: string): string {
  let left = run
  for (let last = open.at(-1); last !== undefined && left !== '' && left.startsWith(last); last = open.at(-1)) {
    open.pop()
    left = left.slice(last.length)
  }
  return left
}

function closersOf(open: readonly string[]): string {
  return open.toReversed().join('')
}

/** The text up to its last word, the closers, and the white space after it; open markers without a word go. */
function withEnd(text: string, closers: string): string {
  if (closers === '') return text
  const body = text.trimEnd()
  const stripped = body.replace(/[*_~]+$/, '')
  const bare = body.length - stripped.length
  if (bare > 0 && closers.startsWith(body.slice(stripped.length))) return stripped.trimEnd() + closers.slice(bare)
  return body + closers + text.slice(body.length)
}

/** A link in the making, as its words; an image in the making, as nothing. */
function wordsOfLink(text: string, linkAt: number, end: number): string {
  return text[linkAt] === '!' ? text.slice(0, linkAt) : text.slice(0, linkAt) + text.slice(linkAt + 1, end)
}
