// Owns the words of the memory panel. Pure.
import type { MemoryView } from '@common/contract/memory-views'
import type { MemoryScope, MemorySkip } from '@common/memory/memory-schema'
import { bytesText, countText } from '../ui/format'

/** `short` stands where three of them stand side by side, on a phone too. */
export const SCOPE_TEXTS: Record<MemoryScope, Readonly<Record<'title' | 'short' | 'hint', string>>> = {
  global: { title: 'Everywhere', short: 'Everywhere', hint: 'seen by every workspace' },
  project: { title: 'This project', short: 'Project', hint: 'seen by its workspaces' },
  workspace: { title: 'This workspace', short: 'Workspace', hint: 'seen by this one alone' }
}

const SKIP_TEXTS: Record<MemorySkip, string> = {
  'too-long': 'Not preloaded: longer than 16 KB.',
  'no-room': 'Not preloaded: no room was left.',
  unreadable: 'Not preloaded: it does not read as text.'
}

/** The path without `/memories/SCOPE/`. */
export function memoryName(path: string): string {
  return path.split('/').slice(3).join('/')
}

/** Size and use, such as `1.4 KB · used 7 times`. */
export function memoryFacts(memory: MemoryView): string {
  return `${bytesText(memory.bytes)} · ${usedText(memory.accessCount)}`
}

/** Why a memory that counts is not in this window, or that it changed or was cut; null when there is nothing to say. */
export function memoryNote(memory: MemoryView): string | null {
  if (memory.skipped !== null) return SKIP_TEXTS[memory.skipped]
  if (memory.preloaded && memory.changedSincePreload) return 'Changed since: this window has the older text.'
  if (memory.preloadCut) return 'Only its beginning is preloaded: it is longer than the room for notes.'
  return null
}

/** What the list says of the window as a whole. */
export function preloadText(memories: readonly MemoryView[], windowBegun: boolean): string {
  if (!windowBegun) return 'What is preloaded is chosen when this window’s first message is sent.'
  const count = memories.filter((memory) => memory.preloaded).length
  return count === 0
    ? 'Nothing was preloaded into this window.'
    : `${countText(count, 'memory', 'memories')} preloaded into this window.`
}

function usedText(count: number): string {
  if (count === 0) return 'never used'
  return count === 1 ? 'used once' : `used ${count.toLocaleString('en')} times`
}
