// Owns the agent's notes as one memory more in the system text (N-1): whole, or cut to their head, within an
// allowance of their own. The same file gives the same text. What the others take changes nothing here.
import { extraMemoryText } from './hot-memory-block'
import type { MemoryHead } from './read-memory'

export interface NotesAllowance {
  /** Of all that the notes add: opening, tags and marker included. */
  readonly bytes: number
  readonly tokens: number
  /** Tokens of a text, at most one a byte; never fails. */
  countTokens(text: string): Promise<number>
}

export interface NotesExtra {
  /** What goes to the end of the block. */
  readonly text: string
  readonly isCut: boolean
}

/** What the notes add to this block; null where not even the marker of a cut fits. */
export async function notesExtra(
  block: string,
  { path, text, isWhole, bytes }: MemoryHead,
  allowance: NotesAllowance
): Promise<NotesExtra | null> {
  const extraOf = (inside: string): string => extraMemoryText(block, { path, pinned: false, text: inside })
  const fits = async (inside: string): Promise<boolean> => {
    const extra = extraOf(inside)
    const atMost = Buffer.byteLength(extra)
    if (atMost > allowance.bytes) return false
    return atMost <= allowance.tokens || (await allowance.countTokens(extra)) <= allowance.tokens
  }
  if (isWhole && (await fits(text))) return { text: extraOf(text), isCut: false }
  const marker = isWhole
    ? `[Cut here: the file has ${bytes} bytes. The memory tool shows the whole.]`
    : `[Cut here: the file has ${bytes} bytes, too many for the memory tool, which shows a shorter one whole.]`
  const cutTo = (head: string): string => [head.trimEnd(), marker].filter((part) => part !== '').join('\n')
  if (!(await fits(cutTo('')))) return null
  // A code unit is at least a byte. What `low` gives fits, also where fewer characters are more tokens.
  let [low, high] = [0, Math.min(text.length, allowance.bytes)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await fits(cutTo(headOf(text, middle)))) low = middle
    else high = middle - 1
  }
  const head = headOf(text, low)
  const lines = wholeLines(text, head)
  return { text: extraOf(cutTo((await fits(cutTo(lines))) ? lines : head)), isCut: true }
}

/** The first code units, without half of a pair. */
function headOf(text: string, length: number): string {
  const head = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head
}

/** The head up to its last line end, where that leaves the better part of it. */
function wholeLines(text: string, head: string): string {
  const end = text.lastIndexOf('\n', head.length)
  return end * 2 < head.length ? head : text.slice(0, end)
}
