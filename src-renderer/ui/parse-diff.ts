// Owns reading a unified diff into lines with their numbers, and which part of a replaced line changed. Pure.

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed' | 'hunk' | 'note'
  readonly text: string
  readonly oldNumber: number | null
  readonly newNumber: number | null
  /** Where the line differs from the one that it replaces, as offsets into `text`; null when all of it does. */
  readonly changed: readonly [start: number, end: number] | null
}

export interface ParsedDiff {
  readonly lines: readonly DiffLine[]
  readonly added: number
  readonly removed: number
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/

/** Reads a unified diff of one file; file headers are left out, anything else that is no diff becomes a note. */
export function parseDiff(diff: string): ParsedDiff {
  const lines: DiffLine[] = []
  let oldNumber = 1
  let newNumber = 1
  let inHunk = false
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      inHunk = true
      oldNumber = Number(hunk[1])
      newNumber = Number(hunk[2])
      lines.push({ kind: 'hunk', text: hunk[3] ?? '', oldNumber: null, newNumber: null, changed: null })
    } else if (!inHunk && isHeader(line)) {
      continue
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), oldNumber: null, newNumber, changed: null })
      newNumber += 1
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), oldNumber, newNumber: null, changed: null })
      oldNumber += 1
    } else if (line.startsWith(' ') || (inHunk && line === '')) {
      lines.push({ kind: 'context', text: line.slice(1), oldNumber, newNumber, changed: null })
      oldNumber += 1
      newNumber += 1
    } else if (line !== '') {
      lines.push({ kind: 'note', text: line.replace(/^\\ /, ''), oldNumber: null, newNumber: null, changed: null })
    }
  }
  return {
    lines: markChanges(lines),
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length
  }
}

function isHeader(line: string): boolean {
  return /^(?:--- |\+\+\+ |diff --git |index |new file |deleted file |old mode |new mode |similarity |rename |Index: |={10,})/.test(
    line
  )
}

/** Marks what changed where a run of removed lines is followed by as many added ones. */
function markChanges(lines: readonly DiffLine[]): DiffLine[] {
  const marked = [...lines]
  for (let start = 0; start < marked.length; start += 1) {
    if (marked[start]?.kind !== 'removed') continue
    const removed = runLength(marked, start, 'removed')
    const added = runLength(marked, start + removed, 'added')
    if (removed === added)
      for (let index = start; index < start + removed; index += 1) markPair(marked, index, index + removed)
    start += removed + added - 1
  }
  return marked
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end += 1
  return end - start
}

function markPair(lines: DiffLine[], oldIndex: number, newIndex: number): void {
  const before = lines[oldIndex]
  const after = lines[newIndex]
  if (before === undefined || after === undefined) return
  const shorter = Math.min(before.text.length, after.text.length)
  let head = 0
  while (head < shorter && before.text[head] === after.text[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.text.at(-1 - tail) === after.text.at(-1 - tail)) tail += 1
  // Lines that share next to nothing but white space are two lines, not one that changed.
  if ((before.text.slice(0, head) + before.text.slice(before.text.length - tail)).trim().length < 3) return
  lines[oldIndex] = { ...before, changed: [head, before.text.length - tail] }
  lines[newIndex] = { ...after, changed: [head, after.text.length - tail] }
}
