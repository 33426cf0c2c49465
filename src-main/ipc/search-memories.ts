// Owns finding a text in the memories and notes that workspaces see (S-9): each file once, however many see it.
import type { MemoryHit } from '@common/contract/search-views'
import type { WorkspaceView } from '@common/contract/views'
import { SNIPPET_CHARS, SNIPPET_LEAD_CHARS } from '@common/constants'
import { join } from 'node:path'
import { compileQuery } from '../history-search/compile-query'
import { mended, wholeIndex } from '../history-search/well-formed-text'
import { listMemories } from '../memory/list-memories'
import { memoryStoreOf } from '../memory/memory-store'
import { readMemory } from '../memory/read-memory'
import type { AppServices } from './app-services'

/** Hits among memories at most: they stand above those of the conversations. */
const MAX_MEMORY_HITS = 50

/** The first match of each memory; what cannot be read is passed over. */
export async function searchMemories(
  services: Pick<AppServices, 'paths' | 'clock' | 'log'>,
  workspaces: readonly Pick<WorkspaceView, 'workspaceId' | 'projectId'>[],
  query: string
): Promise<MemoryHit[]> {
  const compiled = compileQuery(query)
  const hits: MemoryHit[] = []
  const seen = new Set<string>()
  for (const { workspaceId, projectId } of workspaces) {
    const store = memoryStoreOf(services, { folder: join(services.paths.workspaces, workspaceId), projectId })
    for (const { path, scope } of (await listMemories(store)).memories) {
      const key = `${store.folders[scope] ?? ''} ${path}`
      if (seen.has(key)) continue
      seen.add(key)
      const read = await readMemory(store, path)
      const match = read.ok ? compiled.find(read.value.text, 'text') : null
      if (!read.ok || match === null) continue
      const { text } = read.value
      const start = wholeIndex(text, Math.max(0, match.index - SNIPPET_LEAD_CHARS))
      const snippet = mended(text.slice(start, wholeIndex(text, start + SNIPPET_CHARS)))
      hits.push({ workspaceId, path, snippet, matchStart: match.index - start, matchLength: match.length })
      if (hits.length >= MAX_MEMORY_HITS) return hits
    }
  }
  return hits
}
