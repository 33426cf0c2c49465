// Owns what a compaction that begins now carries over (K-1), within its time and as the person's switches say (K-8).
// It never stands in a boundary's way: what goes wrong is logged, and the window begins without it (K-3).
import { POST_COMPACTION_CONTEXT_MS } from '@common/constants'
import type { PostCompactionContext, Row } from '@common/rows/row-schema'
import { renderPostCompactionContext } from '../compaction/post-compaction-context'
import { chosenSources } from './carry-choice'
import { type CarryPlace, carrySourcesOf } from './carry-sources'
import type { SessionDeps } from './session-deps'

export type CarryOverDeps = Pick<SessionDeps, 'clock' | 'log'> & {
  readonly counter: Pick<SessionDeps['counter'], 'countText'>
}

export interface CarryRequest {
  /** Of the window that is compacted. */
  readonly windowRows: readonly Row[]
  readonly encoding: string
  readonly abortSignal: AbortSignal
}

/** Null for nothing to carry, and where it takes too long or fails. */
export async function carryOver(
  deps: CarryOverDeps,
  opened: CarryPlace,
  { windowRows, encoding, abortSignal }: CarryRequest
): Promise<PostCompactionContext | null> {
  const { clock, log, counter } = deps
  const { id, carryOver: choice } = opened.workspace.file
  const build = async (): Promise<PostCompactionContext | null> => {
    const nowMs = clock.now()
    const sources = chosenSources(await carrySourcesOf(deps, opened, windowRows), choice)
    return renderPostCompactionContext(sources, {
      nowMs,
      async countTokens(text) {
        const counted = await counter.countText(text, encoding)
        // A token is at least a byte.
        return counted.ok ? counted.value : Buffer.byteLength(text)
      }
    })
  }
  if (abortSignal.aborted) return null
  const done = new AbortController()
  const stop = (): void => done.abort()
  abortSignal.addEventListener('abort', stop)
  const late = clock.sleep(POST_COMPACTION_CONTEXT_MS, done.signal).then(
    () => 'late' as const,
    () => 'late' as const
  )
  try {
    const built = await Promise.race([build(), late])
    if (built !== 'late') return built
    if (!abortSignal.aborted) log.warn('post-compaction-context-late', { workspaceId: id })
  } catch (cause) {
    log.warn('post-compaction-context-failed', { workspaceId: id, error: String(cause) })
  } finally {
    abortSignal.removeEventListener('abort', stop)
    stop()
  }
  return null
}
