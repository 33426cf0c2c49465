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
  /** Tokens of a text, at most; never fails. */
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
  let [bytesLeft, tokensLeft] = [HOT_MEMORY_BYTES, HOT_MEMORY_TOKENS]
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
    const tokens = await sources.countTokens(hotMemoryText({ path, pinned, text }))
    if (bytes > HOT_MEMORY_ENTRY_BYTES) skip('too-long')
    else if (bytes > bytesLeft || tokens > tokensLeft) skip('no-room')
    else {
      bytesLeft -= bytes
      tokensLeft -= tokens
      chosen.push({ path, pinned, text, bytes, modifiedAtMs })
    }
  }
  return { chosen, skipped }
}
