// Owns the newest page of a workspace as a watcher starts from it (T-3): page and event sequence agree.
import { MAX_IPC_STRING_BYTES, PAGE_ROWS } from '@common/constants'
import type { SessionSnapshot } from '@common/contract/views'
import type { Result } from '@common/result'
import type { DamageReport } from '../history/damage-report'
import type { HistoryError } from '../history/history-error'
import type { OpenedSession } from './session-deps'
import { toldLines } from './told-lines'
import type { ToldHistory } from './told-history'
import type { TurnEvents } from './turn-events'

export type SessionPage = Pick<SessionSnapshot, 'sequence' | 'page' | 'windowStarts'> & {
  readonly damage: DamageReport
}

interface PageSources {
  readonly events: TurnEvents
  readonly told: ToldHistory
}

/** Reads the page again while something is told meanwhile. */
export async function newestPage(
  { history }: OpenedSession,
  { events, told }: PageSources
): Promise<Result<SessionPage, HistoryError>> {
  for (;;) {
    const before = events.flush()
    const page = await history.page({ before: null, maxRows: PAGE_ROWS, maxBytes: MAX_IPC_STRING_BYTES })
    if (!page.ok) return page
    const starts = await history.read((_files, { windows }) => [...windows])
    if (!starts.ok) return starts
    const sequence = events.flush()
    if (sequence !== before) continue
    const { before: older, damage } = page.value
    const lines = toldLines(page.value.lines, told.sequence)
    const value = {
      sequence,
      damage,
      page: { lines, before: older, skippedLines: damage.total },
      windowStarts: starts.value
    }
    return { ok: true, value }
  }
}
