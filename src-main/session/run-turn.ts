// Owns the order of a turn: decide, do, record, tell. Nothing else may call a provider.
// Every step of it can fail or be stopped; each way out leaves the history consistent and says how it ended.
import { ledgerFromRows } from '@common/budget/usage-ledger'
import { rowsForProvider } from '@common/rows/boundaries'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { CompactionWish } from '../compaction/compaction-request'
import { continueRow } from '../context/continue-row'
import type { SendDecision, WindowHandling } from '../context/context-strategy'
import { admitSend } from './admit-send'
import { compactWindow } from './compact-window'
import { contentsOf, contextLeftOut, markLeftOut } from './leave-out-context'
import { runSteps } from './run-steps'
import { sendMomentOf } from './send-moment'
import type { TurnContext, TurnEnd, TurnRequest } from './turn-context'
import {
  blockedEnd,
  compactionEnd,
  endOf,
  NOT_SENT_AGAIN,
  NOTHING_TO_COMPACT,
  NOTHING_TO_SEND,
  unrecordedEnd
} from './turn-end'
import { enterFreshWindow, type Progress, type SentInput } from './turn-progress'
import type { FreshSystem } from './window-system'

/** Runs one turn to its end. Throws only for a bug. */
export function runTurn(turn: TurnContext, { input }: TurnRequest): Promise<TurnEnd> {
  return send(turn, input, { requests: 0, handling: 'open' })
}

/** Summarises the window at the person's wish, or because nothing happened in it for long (C-1, C-3). */
export async function runCompaction(turn: TurnContext, wish: CompactionWish): Promise<TurnEnd> {
  const place = { windowId: turn.history.currentWindowId, requests: 0 }
  const window = await turn.history.activeWindow()
  if (!window.ok) return unrecordedEnd(place, window.error)
  const { windowId, rows } = window.value
  if (!rows.some((row) => usesOf(row).windowEligible)) return endOf(place, NOTHING_TO_COMPACT)
  const progress = { ...place, windowId, rows }
  const { compacted } = await compactWindow(turn, progress, wish)
  return compactionEnd({ ...progress, windowId: turn.history.currentWindowId }, compacted)
}

interface Sofar {
  readonly requests: number
  readonly handling: WindowHandling
}

async function send(turn: TurnContext, input: NewRow | null, sofar: Sofar): Promise<TurnEnd> {
  const window = await turn.history.activeWindow()
  if (!window.ok) return unrecordedEnd({ windowId: turn.history.currentWindowId, ...sofar }, window.error)
  const { windowId, rows, damage } = window.value
  turn.onDamage(damage)
  await turn.deliverStored(rows)
  // Its append was said to have failed and did not: it is answered, or was with what came after it.
  if (input !== null && rows.some(({ id }) => id === input.id)) {
    const isNewest = rows.at(-1)?.id === input.id
    return isNewest ? send(turn, null, sofar) : endOf({ windowId, ...sofar }, { outcome: 'completed' })
  }
  const said = rows.findLast((row) => rowKindOf(row) !== 'compaction-request')
  if (input === null && isRejected(said)) return endOf({ windowId, ...sofar }, NOT_SENT_AGAIN)
  const ledger = ledgerFromRows(windowId, turn.settings.modelRef, rows, turn.measuredFrom)
  const sent: SentInput = { before: rows, company: await turn.companyOf(input, rows), input }
  const startedAtMs = turn.clock.now()
  const progress: Progress = { windowId, startedAtMs, rows, ledger, sent, retriedTooLong: false, ...sofar }
  const { decision, fresh } = await decideFitting(turn, progress)
  if (decision === null) return endOf(progress, NOTHING_TO_SEND)
  if (turn.abortSignal.aborted) return endOf(progress, { outcome: 'interrupted' })
  if (decision.kind === 'compact') return compactAndSend(turn, progress, input)
  const admitted = input === null ? null : await turn.admitInput(input)
  if (admitted?.kind === 'withdrawn') return endOf(progress, { outcome: 'completed' })
  if (admitted?.kind === 'changed') return send(turn, admitted.input, sofar)
  if (turn.abortSignal.aborted) {
    admitted?.release()
    return endOf(progress, { outcome: 'interrupted' })
  }
  const stored = await admitSend(turn, decision, { input, fresh })
  if (stored.kind === 'failed') {
    admitted?.release()
    return unrecordedEnd(progress, stored.error)
  }
  if (decision.kind === 'blocked') return endOf(progress, blockedEnd(decision.block))
  turn.onStreaming()
  if (decision.kind === 'rollover') {
    const inFresh = enterFreshWindow(turn, progress, { stored: stored.rows, fresh, told: decision.told })
    return runSteps(inFresh, progress, decision.request)
  }
  progress.rows = [...progress.rows, ...stored.rows]
  stayOrRelease(turn, windowId, decision.stays)
  return runSteps(turn, progress, decision.request)
}

/** Remembers whether this window must go on as it is with this model; why is told once for both. */
function stayOrRelease(turn: TurnContext, windowId: string, stays: { readonly why: string | null } | null): void {
  if (stays === null) return turn.latch.release()
  if (stays.why !== null && !turn.latch.stays(windowId, turn.modelRef)) turn.tellOnce(stays.why)
  turn.latch.keep(windowId, turn.modelRef)
}

/** What was not sent is never tried again as it is (P-8), nor what was said before it. */
function isRejected(newest: Row | undefined): boolean {
  return newest !== undefined && rowKindOf(newest) === 'rejected-input'
}

/** Compacts, then sends the input into the new window; where that failed, into the old one (C-2). Never twice a turn. */
async function compactAndSend(begun: TurnContext, progress: Progress, input: NewRow | null): Promise<TurnEnd> {
  const { compacted, turn } = await compactWindow(begun, progress, { reason: 'automatic', instructions: '' })
  const sofar: Sofar = { requests: progress.requests, handling: 'tried' }
  switch (compacted.kind) {
    case 'unrecorded':
      return unrecordedEnd(progress, compacted.error)
    case 'interrupted':
      return endOf(progress, { outcome: 'interrupted' })
    case 'refused':
      turn.latch.keep(progress.windowId, begun.modelRef)
      turn.tellOnce(`The window could not be summarised: ${compacted.message}`)
      return send(turn, input, sofar)
    case 'compacted':
      return send(
        { ...turn, settings: { ...turn.settings, systemText: compacted.systemText } },
        // The message of a retry stands behind the summary already.
        input,
        sofar
      )
  }
}

interface Wanted {
  /** Null where there is nothing that could be sent. */
  readonly decision: SendDecision | null
  readonly fresh: FreshSystem | null
}

/** The decision; one that finds no room is asked again without what a compaction carried over (K-4). */
async function decideFitting(turn: TurnContext, progress: Progress): Promise<Wanted> {
  const wanted = await decideWhole(turn, progress)
  const without = wanted.decision?.kind === 'blocked' ? contextLeftOut(turn, progress.rows) : null
  if (without === null) return wanted
  const again = await decideWhole(turn, { ...progress, ...contentsOf(turn, progress, without.rows) })
  if (again.decision?.kind !== 'send' || turn.abortSignal.aborted) return wanted
  return (await markLeftOut(turn, progress, without)) ? again : wanted
}

/** The strategy's decision. No endpoint goes on from its own words: a retry after half an answer asks for the rest. */
async function decideWhole(turn: TurnContext, progress: Progress): Promise<Wanted> {
  const first = await decide(turn, progress, progress.sent.input)
  const ending = first.decision?.kind === 'send' ? first.decision.request.prompt.at(-1)?.role : null
  if (ending === 'system') return { decision: null, fresh: null }
  const asksForNothing = ending === 'assistant' || (ending !== null && isSummaryAlone(progress))
  return asksForNothing ? decide(turn, progress, continueRow(turn.newId(), turn.clock.now())) : first
}

/** A summary is sent as the user's words, but asks for nothing. */
function isSummaryAlone({ rows, sent }: Progress): boolean {
  const newest = rowsForProvider(rows).at(-1)
  return sent.input === null && newest !== undefined && rowKindOf(newest) === 'compaction-summary'
}

async function decide(turn: TurnContext, progress: Progress, input: NewRow | null): Promise<Wanted> {
  const { moment, freshSystem } = sendMomentOf(turn, { ...progress, sent: { ...progress.sent, input } })
  return { decision: await turn.strategy.beforeSend(moment), fresh: freshSystem() }
}
