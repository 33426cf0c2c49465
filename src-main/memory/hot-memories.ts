// Owns which memories a new window is given (Y-2): pinned first, then the most used; one that is neither is left out.
// Pure but for what is handed in; the same memories always give the same choice. Sees neither disk nor settings.
import { HOT_MEMORY_BYTES, HOT_MEMORY_ENTRIES, HOT_MEMORY_ENTRY_BYTES, HOT_MEMORY_TOKENS } from '@common/constants'
import type { MemorySkip } from '@common/memory/memory-schema'
import { hotMemoryText, type HotMemory } from './hot-memory-block'
import { compareText, type Memory } from './list-memories'

export interface HotChoice {
  /** In order. */
  readonly chosen: readonly (HotMemory & Pick<Memory, 'bytes' | 'modifiedAtMs'>)[]
  readonly skipped: readonly { readonly path: string; readonly reason: MemorySkip }[]
}

export interface HotSources {
  /** The text of a memory, or null when it cannot be read as text. */
  readText(path: string): Promise<string | null>
  /** Tokens of a text, at most one a byte; never fails. */
  countTokens(text: string): Promise<number>
}

/** The memories that count, in the order in which they get their place. */
export function rankMemories(memories: readonly Memory[]): Memory[] {
  return memories
    .filter(({ pinned, accessCount }) => pinned || accessCount > 0)
    .toSorted(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        b.accessCount - a.accessCount ||
        (b.lastAccessedAtMs ?? 0) - (a.lastAccessedAtMs ?? 0) ||
        compareText(a.path, b.path)
    )
}

/** Takes what fits, in order; one that does not fit gives its place to the next. Reads no more than it needs. */
export async function chooseHotMemories(memories: readonly Memory[], sources: HotSources): Promise<HotChoice> {
  const chosen: HotChoice['chosen'][number][] = []
  const skipped: { path: string; reason: MemorySkip }[] = []
  const tokens = tokenAllowance(HOT_MEMORY_TOKENS, sources.countTokens)
  let bytesLeft = HOT_MEMORY_BYTES
  for (const { path, pinned, bytes: listedBytes, modifiedAtMs } of rankMemories(memories)) {
    const skip = (reason: MemorySkip): void => void skipped.push({ path, reason })
    if (listedBytes > HOT_MEMORY_ENTRY_BYTES) {
      skip('too-long')
      continue
    }
    if (chosen.length === HOT_MEMORY_ENTRIES || listedBytes > bytesLeft) {
      skip('no-room')
      continue
    }
    const text = await sources.readText(path)
    if (text === null) {
      skip('unreadable')
      continue
    }
    // Measured again: it may have grown since it was listed.
    const bytes = Buffer.byteLength(text)
    if (bytes > HOT_MEMORY_ENTRY_BYTES) skip('too-long')
    else if (bytes > bytesLeft || !(await tokens.take(hotMemoryText({ path, pinned, text })))) skip('no-room')
    else {
      bytesLeft -= bytes
      chosen.push({ path, pinned, text, bytes, modifiedAtMs })
    }
  }
  return { chosen, skipped }
}

/**
 * Gives out tokens. A token is at least a byte, so that nothing is counted while bytes alone say that a text fits:
 * a tokenizer takes half a second to load, before the first request of a window. The answers are those of counting all.
 */
function tokenAllowance(
  maxTokens: number,
  countTokens: HotSources['countTokens']
): { take(text: string): Promise<boolean> } {
  let used = 0
  let uncounted: string[] = []
  return {
    async take(text) {
      const atMost = Buffer.byteLength(text)
      if (used + atMost <= maxTokens) {
        used += atMost
        uncounted.push(text)
        return true
      }
      for (const taken of uncounted) used -= Buffer.byteLength(taken) - (await countTokens(taken))
      uncounted = []
      const counted = await countTokens(text)
      if (used + counted > maxTokens) return false
      used += counted
      return true
    }
  }
}
