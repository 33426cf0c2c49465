// Owns idle compaction (C-3): windows that were quiet for the person's hours are summarised, one after another.
// Quiet is a matter of the wall clock: hours in which the machine slept count. What the person has begun, a draft or a
// message that waits, is no quiet. A window is tried once: never again before something new happened in it.
import { budgetModeOf } from '@common/budget/budget-mode'
import { budgetPointsOf } from '@common/budget/budget-points'
import { ledgerFromRows, projectedTokens } from '@common/budget/usage-ledger'
import { IDLE_CHECK_INTERVAL_MS, IDLE_COMPACTION_MIN_SHARE } from '@common/constants'
import { isBoundary } from '@common/rows/boundaries'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import { unansweredOf } from '../context/window-eligible'
import type { AgentSession } from './agent-session'
import type { SessionDeps } from './session-deps'

export type IdleDeps = Pick<SessionDeps, 'clock' | 'log' | 'settings' | 'modelInfo'> & {
  /** The sessions that are open now. */
  openSessions(): Promise<readonly AgentSession[]>
}

/** What is remembered of an open session from round to round. */
interface Known {
  /** Who opens a workspace is at work in it. */
  readonly seenAtMs: number
  /** `updatedAtMs` of what was tried, or found not worth it. */
  lookedAtMs: number | null
}

const HOUR_MS = 3_600_000

/** Looks for quiet windows until it is closed; `close` resolves when no summary of it runs any more. */
export function startIdleCompaction(deps: IdleDeps): { close(): Promise<void> } {
  const closing = new AbortController()
  const known = new WeakMap<AgentSession, Known>()
  const running = watch()

  async function watch(): Promise<void> {
    while (await slept()) {
      await lookAtAll().catch((bug: unknown) => deps.log.error('idle-compaction-failed', { error: String(bug) }))
    }
  }

  async function lookAtAll(): Promise<void> {
    const hours = deps.settings().idleCompactionHours
    for (const session of await deps.openSessions()) {
      const memory = known.get(session) ?? { seenAtMs: deps.clock.now(), lookedAtMs: null }
      known.set(session, memory)
      if (!closing.signal.aborted) await lookAt(deps, session, { hours, memory })
    }
  }

  function slept(): Promise<boolean> {
    return deps.clock.sleep(IDLE_CHECK_INTERVAL_MS, closing.signal).then(
      () => true,
      () => false
    )
  }

  return {
    close() {
      closing.abort()
      return running
    }
  }
}

/** Summarises the session's window where it is quiet and worth it. */
async function lookAt(
  { clock, settings, modelInfo }: IdleDeps,
  session: AgentSession,
  { hours, memory }: { readonly hours: number; readonly memory: Known }
): Promise<void> {
  const { file } = session
  const quietSinceMs = Math.max(file.updatedAtMs, memory.seenAtMs)
  if (hours === 0 || clock.now() - quietSinceMs < hours * HOUR_MS) return
  if (memory.lookedAtMs === file.updatedAtMs || file.archived || !(await isAtRest(session))) return
  const window = await session.store.activeWindow()
  if (!window.ok || session.busy) return
  const { windowId, rows } = window.value
  // Another process may have worked here meanwhile.
  const newestAtMs = rows.at(-1)?.metadata.timestamp ?? 0
  if (clock.now() - newestAtMs < hours * HOUR_MS) return
  memory.lookedAtMs = file.updatedAtMs
  const model = rows.findLast((row) => rowKindOf(row) === 'assistant')?.metadata.model ?? file.model
  const info = modelInfo(model)
  if (info === null) return
  const { threshold } = budgetModeOf({ settings: settings(), modelRef: model, experiments: undefined })
  const points = budgetPointsOf(info, threshold)
  const heldTokens = projectedTokens(ledgerFromRows(windowId, model, rows, file.measuredFrom))
  const fullTokens = points === null ? null : (points.rolloverPoint ?? points.hardCeiling)
  if (!isWorthIt({ rows, heldTokens, fullTokens })) return
  await session.compactQuietly(Math.floor((clock.now() - Math.max(quietSinceMs, newestAtMs)) / HOUR_MS))
}

/** Nothing runs, nothing waits, nothing is half written. */
async function isAtRest(session: AgentSession): Promise<boolean> {
  if (session.busy || session.queue.entries.length > 0 || !session.view.projectReadable) return false
  const { text, attachments } = await session.drafts.read()
  return text.trim() === '' && attachments.length === 0
}

export interface QuietWindow {
  readonly rows: readonly Row[]
  /** What the next request of the window would hold; null where nothing was measured. */
  readonly heldTokens: number | null
  /** Where the window is full; null where the limit is not known. */
  readonly fullTokens: number | null
}

/** Does the window hold enough, and anything since it was last summarised, or a summary was last asked for? Pure. */
export function isWorthIt({ rows, heldTokens, fullTokens }: QuietWindow): boolean {
  const last = rows.findLastIndex((row) => isBoundary(row) || rowKindOf(row) === 'compaction-request')
  const hasNews = rows.slice(last + 1).some((row) => usesOf(row).windowEligible)
  // A message without an answer is not at rest: the person may try again.
  if (!hasNews || unansweredOf(rows) !== null || heldTokens === null || fullTokens === null) return false
  return heldTokens >= fullTokens * IDLE_COMPACTION_MIN_SHARE
}
