// Owns what a watcher starts from (T-3): the newest page, and what the session is at the moment when that was read.
import type { SessionSnapshot, UsageView } from '@common/contract/views'
import { ok, type Result } from '@common/result'
import { describeDamage } from '../history/damage-report'
import { meterOf } from './last-usage'
import type { OpenedSession, SessionDeps } from './session-deps'
import type { SessionNotices } from './session-notices'
import { newestPage } from './session-page'
import type { ToldHistory } from './told-history'
import type { TurnEvents } from './turn-events'

type SessionNow = Pick<
  SessionSnapshot,
  'workspace' | 'live' | 'toolOutputs' | 'status' | 'approvals' | 'questions' | 'todo'
> & {
  /** As this run measured it; null where it did not. */
  readonly usage: UsageView | null
}

interface SnapshotSources {
  readonly events: TurnEvents
  readonly told: ToldHistory
  readonly notices: SessionNotices
  /** Asked once everything is read. */
  now(): SessionNow
}

export async function snapshotOf(
  deps: SessionDeps,
  opened: OpenedSession,
  { events, told, notices, now }: SnapshotSources
): Promise<Result<SessionSnapshot, { message: string }>> {
  const draft = await opened.drafts.read()
  const newest = await newestPage(opened, { events, told })
  if (!newest.ok) return newest
  const { damage, ...page } = newest.value
  notices.tellOnce(describeDamage(damage))
  const { file } = opened.workspace
  const { usage, ...present } = now()
  return ok({
    ...present,
    ...page,
    queue: [...opened.queue.entries],
    usage: meterOf(page.page.lines, usage, { file, windowId: opened.history.currentWindowId, ...deps }),
    draft: draft.text,
    draftAttachments: draft.attachments,
    notices: notices.all
  })
}
