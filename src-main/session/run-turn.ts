// Owns the order of a turn: decide, do, record, tell. Nothing else may call a provider.
// Every step of it can fail or be stopped; each way out leaves the history consistent and says how it ended.
import { ledgerFromRows } from '@common/budget/usage-ledger'
import type { NewRow } from '@common/rows/row-schema'
import { continueRow } from '../context/continue-row'
import type { SendDecision } from '../context/context-strategy'
import { admitSend } from './admit-send'
import { runSteps } from './run-steps'
import { sendMomentOf } from './send-moment'
import type { TurnContext, TurnEnd, TurnRequest } from './turn-context'
import { blockedEnd, endOf, NOTHING_TO_SEND, unrecordedEnd } from './turn-end'
import { enterFreshWindow, type Progress, type SentInput } from './turn-progress'
import type { FreshSystem } from './window-system'

/** Runs one turn to its end. Throws only for a bug. */
export async function runTurn(turn: TurnContext, { input }: TurnRequest): Promise<TurnEnd> {
  const window = await turn.history.activeWindow()
  if (!window.ok) return unrecordedEnd({ windowId: turn.history.currentWindowId, requests: 0 }, window.error)
  const { windowId, rows, damage } = window.value
  turn.onDamage(damage)
  const ledger = ledgerFromRows(windowId, turn.settings.modelRef, rows, turn.measuredFrom)
  const sent: SentInput = { before: rows, company: await turn.companyOf(input, rows), input }
  const progress: Progress = { windowId, startedAtMs: turn.clock.now(), rows, ledger, requests: 0, sent }
  const first = await decide(turn, progress, input)
  const ending = first.decision.kind === 'send' ? first.decision.request.prompt.at(-1)?.role : null
  if (ending === 'system') return endOf(progress, NOTHING_TO_SEND)
  // No endpoint goes on from its own words: a retry after half an answer asks for the rest of it.
  const wanted =
    ending === 'assistant' ? await decide(turn, progress, continueRow(turn.newId(), turn.clock.now())) : first
  const { decision, fresh } = wanted
  if (turn.abortSignal.aborted) return endOf(progress, { outcome: 'interrupted' })
  const stored = await admitSend(turn, decision, { input, fresh })
  if (stored.kind === 'failed') return unrecordedEnd(progress, stored.error)
  if (decision.kind === 'blocked') return endOf(progress, blockedEnd(decision.block))
  turn.onStreaming()
  if (decision.kind === 'rollover') {
    const inFresh = enterFreshWindow(turn, progress, { stored: stored.rows, fresh, told: decision.told })
    return runSteps(inFresh, progress, decision.request)
  }
  progress.rows = [...rows, ...stored.rows]
  if (decision.stays !== null) {
    turn.latch.keep(windowId)
    turn.tellOnce(decision.stays)
  }
  return runSteps(turn, progress, decision.request)
}

interface Wanted {
  readonly decision: SendDecision
  readonly fresh: FreshSystem | null
}

async function decide(turn: TurnContext, { windowId, ledger, sent }: Progress, input: NewRow | null): Promise<Wanted> {
  const { moment, freshSystem } = sendMomentOf(turn, { windowId, ledger, sent: { ...sent, input } })
  return { decision: await turn.strategy.beforeSend(moment), fresh: freshSystem() }
}
