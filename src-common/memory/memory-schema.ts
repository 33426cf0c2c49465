// Owns the words that both sides use of memories: their scopes, and why one was not preloaded (Y-1, Y-2).
import { z } from 'zod'

/** `global` is for all projects, `project` for one, `workspace` for one conversation. */
export const MemoryScope = z.enum(['global', 'project', 'workspace'])
export type MemoryScope = z.infer<typeof MemoryScope>

export const MEMORY_SCOPES: readonly MemoryScope[] = MemoryScope.options

/**
 * Why a pinned or used memory is not in the system text: over the limit of one entry, no room left under the limits
 * of all, or not text (also: it could not be read).
 */
export const MemorySkip = z.enum(['too-long', 'no-room', 'unreadable'])
export type MemorySkip = z.infer<typeof MemorySkip>
