// Owns the memories of the fake main: listed, read, written, pinned and deleted as the real one does it.
import type { MemoryContent, MemoryListing, MemoryView } from '@common/contract/memory-views'
import type { RequestFailure } from '@common/contract/bridge'
import type { MemoryScope } from '@common/memory/memory-schema'
import { STORY_NOW_MS } from './session-builders'

export interface FakeMemory {
  readonly view: MemoryView
  readonly text: string
}

/** A memory of a story; without more it is neither pinned nor used. */
export function fakeMemory(path: string, text: string, changes: Partial<MemoryView> = {}): FakeMemory {
  const scope = path.split('/')[2] as MemoryScope
  const view: MemoryView = {
    path,
    scope,
    bytes: new TextEncoder().encode(text).length,
    modifiedAtMs: STORY_NOW_MS - 86_400_000,
    pinned: false,
    accessCount: 0,
    lastAccessedAtMs: null,
    preloaded: false,
    preloadCut: false,
    changedSincePreload: false,
    skipped: null,
    ...changes
  }
  return { view, text }
}

export function listFakeMemories(memories: readonly FakeMemory[]): MemoryListing {
  return { memories: memories.map(({ view }) => view), windowBegun: true, problems: [] }
}

export function readFakeMemory(memories: readonly FakeMemory[], path: string): MemoryContent {
  const found = memories.find(({ view }) => view.path === path)
  if (found === undefined) throw new Error(`no memory ${path} in this story`)
  return { path, text: found.text, version: versionOf(found.text), modifiedAtMs: found.view.modifiedAtMs }
}

/** The refusal of main where the text that was seen is not the one there; null when it may be written. */
export function fakeMemoryRefusal(
  memories: readonly FakeMemory[],
  path: string,
  version: string | null
): RequestFailure | null {
  const found = memories.find(({ view }) => view.path === path)
  if (version === null)
    return found === undefined ? null : { kind: 'refused', message: `There is a memory at ${path} already.` }
  return found !== undefined && versionOf(found.text) === version
    ? null
    : { kind: 'refused', message: `${path} changed meanwhile. Read it again, then make your change.` }
}

/** With the memory written, in its place or as a new one. */
export function writeFakeMemory(memories: readonly FakeMemory[], path: string, text: string): FakeMemory[] {
  const old = memories.find(({ view }) => view.path === path)
  const bytes = new TextEncoder().encode(text).length
  const changedSincePreload = old?.view.preloaded === true
  const written = fakeMemory(path, text, { ...old?.view, bytes, modifiedAtMs: STORY_NOW_MS, changedSincePreload })
  return [...withoutFakeMemory(memories, path), written].toSorted((a, b) => (a.view.path < b.view.path ? -1 : 1))
}

export function withoutFakeMemory(memories: readonly FakeMemory[], path: string): FakeMemory[] {
  return memories.filter(({ view }) => view.path !== path)
}

function versionOf(text: string): string {
  return `v${text.length}-${text.slice(0, 12)}`
}
