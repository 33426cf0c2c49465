// Owns what the memory panel is shown (Y-3): every memory of a workspace's three scopes, and which of them the
// window in force was given.
import { z } from 'zod'
import { MemoryScope, MemorySkip } from '../memory/memory-schema'

export const MemoryView = z.object({
  /** `/memories/SCOPE/…`, as agents write it. */
  path: z.string(),
  scope: MemoryScope,
  bytes: z.number(),
  modifiedAtMs: z.number(),
  pinned: z.boolean(),
  /** How often agents read or changed it; preloading and the panel do not count. */
  accessCount: z.number(),
  lastAccessedAtMs: z.number().nullable(),
  /** Is it in the system text of the window in force? */
  preloaded: z.boolean(),
  /** Is only its beginning there? Of the agent's notes alone; every other memory is preloaded whole (N-1). */
  preloadCut: z.boolean(),
  /** It changed since: the agent sees the older text until the next window, or reads it with its tool. */
  changedSincePreload: z.boolean(),
  /** Why it was left out though pinned or used; null also for one that was neither when the window began. */
  skipped: MemorySkip.nullable()
})
export type MemoryView = z.infer<typeof MemoryView>

export const MemoryListing = z.object({
  /** By path, so by scope. */
  memories: z.array(MemoryView),
  /** False until the window in force has been sent once: only then is anything preloaded. */
  windowBegun: z.boolean(),
  /** Folders that could not be read, one sentence each. */
  problems: z.array(z.string())
})
export type MemoryListing = z.infer<typeof MemoryListing>

export const MemoryContent = z.object({
  path: z.string(),
  text: z.string(),
  /** Give it back with a change: one that somebody else made meanwhile is then not written over. */
  version: z.string(),
  modifiedAtMs: z.number()
})
export type MemoryContent = z.infer<typeof MemoryContent>
