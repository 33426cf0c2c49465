// Owns what a person sees of a change to a text: a unified diff and its counts. Pure.
import { structuredPatch } from 'diff'

export interface ChangeDiff {
  /** Hunks with three lines of context, cut at a line end when over the limit; empty when nothing changed. */
  readonly diff: string
  readonly added: number
  readonly removed: number
}

const CONTEXT_LINES = 3

/** Past this many edits the search for the smallest diff is given up: it grows with their square. */
const MAX_EDIT_LENGTH = 1_000

interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** The diff from `before` to `after`, at most about `maxChars` long. */
export function changeDiff(path: string, before: string, after: string, maxChars: number): ChangeDiff {
  if (before === after) return { diff: '', added: 0, removed: 0 }
  const patch = structuredPatch(path, path, before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH
  })
  const hunks: readonly Hunk[] = patch?.hunks ?? [oneHunk(before, after)]
  const lines = hunks.flatMap((hunk) => [headerOf(hunk), ...hunk.lines])
  return { diff: cutLines(lines, maxChars), added: countOf(hunks, '+'), removed: countOf(hunks, '-') }
}

function headerOf(hunk: Hunk): string {
  return `@@ -${rangeOf(hunk.oldStart, hunk.oldLines)} +${rangeOf(hunk.newStart, hunk.newLines)} @@`
}

/** An empty range is named by the line before it, as the format wants it. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`
}

function countOf(hunks: readonly Hunk[], sign: string): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0)
}

/** Right but not the smallest: everything between the common beginning and the common end is replaced. */
function oneHunk(before: string, after: string): Hunk {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const from = Math.max(0, start - CONTEXT_LINES)
  const tail = Math.max(0, end - CONTEXT_LINES)
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - tail).map((line) => ` ${line}`)
  ]
  const [oldLines, newLines] = [old.length - from - tail, now.length - from - tail]
  return { oldStart: from + 1, oldLines, newStart: from + 1, newLines, lines }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function cutLines(lines: readonly string[], maxChars: number): string {
  const kept: string[] = []
  let used = 0
  for (const [index, line] of lines.entries()) {
    if (used + line.length + 1 > maxChars) {
      const room = maxChars - used
      if (kept.length < 2 && room > 80) kept.push(`${line.slice(0, room).replace(/[\ud800-\udbff]$/, '')} […]`)
      return [...kept, `… ${lines.length - index} more lines of the diff`].join('\n')
    }
    used += line.length + 1
    kept.push(line)
  }
  return kept.join('\n')
}
