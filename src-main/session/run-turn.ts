// Owns the order of a turn: decide, do, record, tell. Nothing else may call a provider.
// Every step of it can fail or be stopped; each way out leaves the history consistent and says how it ended.
import { MAX_ROW_BYTES, MAX_STEPS_PER_TURN } from '@common/constants'
import { ledgerFromRows, recordStep } from '@common/budget/usage-ledger'
import type { UsageLedger } from '@common/budget/usage-ledger'
import { divideRow } from '@common/rows/divide-row'
import type { NewRow, Row } from '@common/rows/row-schema'
import type { ProviderFailure } from '@common/models/provider-failure'
import { rowBytes } from '@common/rows/split-row'
import type { ContextBlock, SendDecision } from '../context/context-strategy'
import { prepareRequest } from '../context/prepare-request'
import type { PreparedRequest } from '../context/prepare-request'
import type { HistoryError } from '../history/history-error'
import { continueRow } from './continue-row'
import { rejectedCapsule } from './rejected-capsule'
import { LiveRow } from './live-row'
import { finishedRow } from './close-row'
import type { RowEnding } from './close-row'
import { runStep } from './run-step'
import type { TurnContext, TurnEnd, TurnRequest } from './turn-context'
import { usageViewOf } from './usage-view'

/** An answer's row is closed at a step boundary once it is this full, so that the next step finds room. */
const CLOSE_ROW_AT_BYTES = MAX_ROW_BYTES / 2

interface Progress {
  readonly windowId: string
  readonly startedAtMs: number
  /** Rows of the window so far, the input and closed answer rows included. */
  rows: Row[]
  ledger: UsageLedger
  requests: number
}

/** Runs one turn to its end. Throws only for a bug. */
export async function runTurn(turn: TurnContext, { input }: TurnRequest): Promise<TurnEnd> {
  const window = await turn.history.activeWindow()
  if (!window.ok) return unrecorded(turn.history.currentWindowId, 0, window.error)
  const { windowId, rows, damage } = window.value
  turn.onDamage(damage)
  const ledger = ledgerFromRows(windowId, turn.settings.modelRef, rows)
  const progress: Progress = { windowId, startedAtMs: turn.clock.now(), rows, ledger, requests: 0 }
  const decide = (sent: NewRow | null): Promise<SendDecision> =>
    turn.strategy.beforeSend({
      windowId,
      windowRows: rows,
      input: sent,
      model: turn.settings.modelRef,
      limits: turn.info,
      ledger,
      prepare: (candidate) => prepareRequest(candidate, turn.settings)
    })
  const wanted = await decide(input)
  const ending = wanted.kind === 'send' ? lastRoleOf(wanted.request) : null
  if (ending === 'system') return end(progress, NOTHING_TO_SEND)
  // No endpoint goes on from its own words: a retry after half an answer asks for the rest of it.
  const decision = ending === 'assistant' ? await decide(continueRow(turn.newId(), turn.clock.now())) : wanted
  if (turn.abortSignal.aborted) return end(progress, { outcome: 'interrupted' })
  const stored = await storeInput(turn, decision, input)
  if (stored.kind === 'failed') return unrecorded(windowId, 0, stored.error)
  progress.rows = [...rows, ...stored.rows]
  if (decision.kind === 'blocked') return blocked(progress, decision.block)
  turn.onStreaming()
  return runSteps(turn, progress, decision.request)
}

function lastRoleOf(request: PreparedRequest): string | null {
  return request.prompt.at(-1)?.role ?? null
}

type Stored =
  | { readonly kind: 'stored'; readonly rows: Row[] }
  | { readonly kind: 'failed'; readonly error: HistoryError }

/** Appends what the decision says in one batch: the input with its company, or its capsule. */
async function storeInput(turn: TurnContext, decision: SendDecision, input: NewRow | null): Promise<Stored> {
  const rows = decision.kind === 'send' ? decision.rows : input === null ? [] : [rejectedCapsule(input, decision.block)]
  if (rows.length === 0) return { kind: 'stored', rows: [] }
  const appended = await turn.history.appendMany(rows)
  if (!appended.ok) return { kind: 'failed', error: appended.error }
  for (const row of appended.value) turn.publish({ type: 'row-appended', row })
  if (input !== null) await turn.inputStored(input.id)
  return { kind: 'stored', rows: appended.value }
}

async function runSteps(turn: TurnContext, progress: Progress, first: PreparedRequest): Promise<TurnEnd> {
  let request = first
  let live = startRow(turn, null)
  for (let count = 0; count < MAX_STEPS_PER_TURN; count++) {
    const step = await runStep(countingRequests(turn, progress), live, { ...progress, request })
    switch (step.kind) {
      case 'unrecorded':
        return unrecorded(progress.windowId, progress.requests, step.error)
      case 'interrupted':
        return finish(turn, progress, live, { interrupted: true }, { outcome: 'interrupted' })
      case 'failed':
        // One way out today; a strategy that can make room answers otherwise and this switch grows.
        if (step.failure.kind === 'context_exceeded' && !step.streamed) await turn.strategy.onOverflow(step.failure)
        return failed(turn, progress, live, step.failure)
      case 'settled':
    }
    progress.ledger = recordStep(progress.windowId, step.step, step.parts)
    tellUsage(turn, progress, step.step)
    if (step.failure !== null) return failed(turn, progress, live, step.failure)
    if (step.cut) return finish(turn, progress, live, {}, { outcome: 'completed', ...cutShort(turn.info.name) })
    if (!step.calledTools) return finish(turn, progress, live, {}, { outcome: 'completed' })
    const decision = await turn.strategy.onStepSettled({
      windowId: progress.windowId,
      model: step.step.model,
      limits: turn.info,
      ledger: progress.ledger,
      parts: step.parts
    })
    if (decision.kind === 'block') {
      turn.publish({
        type: 'budget',
        decision: 'block',
        projected: decision.projected,
        hardCeiling: decision.hardCeiling
      })
      return finish(turn, progress, live, {}, blockedEnd(decision.block))
    }
    if (turn.queueWantsStepEnd())
      return finish(turn, progress, live, {}, { outcome: 'completed', reason: 'queued_input' })
    if (rowBytes(live.row) > CLOSE_ROW_AT_BYTES) {
      const closed = await commit(turn, progress, live, {})
      if (closed !== null) return unrecorded(progress.windowId, progress.requests, closed)
      live = startRow(turn, progress.rows.at(-1)?.id ?? null)
    }
    const next = await prepareRequest([...progress.rows, live.row], turn.settings)
    if (next.kind === 'rejected') {
      const message = `${next.message} The turn stopped and every result is kept. Start a new workspace, or take a model with a larger window.`
      return finish(turn, progress, live, {}, blockedEnd({ reason: 'request_too_large', message }))
    }
    request = next
  }
  const message = `The agent took ${MAX_STEPS_PER_TURN} steps without finishing, so the turn was stopped. Send a message to go on.`
  return finish(turn, progress, live, {}, { outcome: 'failed', reason: 'provider', message })
}

function startRow(turn: TurnContext, continues: string | null): LiveRow {
  const live = new LiveRow(turn.newId(), {
    timestamp: turn.clock.now(),
    model: turn.settings.modelRef,
    agentId: turn.agentId,
    ...(continues === null ? {} : { continues })
  })
  turn.publish(live.started())
  return live
}

/** Records the answer with the provider's failure on it. */
function failed(turn: TurnContext, progress: Progress, live: LiveRow, failure: ProviderFailure): Promise<TurnEnd> {
  const { kind, message } = failure
  return finish(turn, progress, live, { error: { kind, message } }, { outcome: 'failed', reason: kind, message })
}

function cutShort(modelName: string): { reason: string; message: string } {
  return {
    reason: 'output_limit',
    message: `${modelName} reached its output limit, so the answer ends in the middle. Send “continue” to go on.`
  }
}

/** Records the answer as it stands, then says how the turn ended. */
async function finish(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  ending: RowEnding,
  how: TurnEndParts
): Promise<TurnEnd> {
  // A wall clock may jump back.
  const durationMs = Math.max(0, turn.clock.now() - progress.startedAtMs)
  const failed = await commit(turn, progress, live, { ...ending, durationMs })
  return failed === null ? end(progress, how) : unrecorded(progress.windowId, progress.requests, failed)
}

/** Moves the live row into the history; one without parts and without an error leaves no row. */
async function commit(
  turn: TurnContext,
  progress: Progress,
  live: LiveRow,
  ending: RowEnding
): Promise<HistoryError | null> {
  await turn.partial.stop()
  if (live.row.parts.length === 0 && ending.error === undefined) {
    const discarded = await turn.history.discardPartial()
    turn.publish({ type: 'live-dropped', rowId: live.row.id })
    return discarded.ok ? null : discarded.error
  }
  const rows = divideRow(finishedRow(live.row, turn.info, ending), () => turn.newId())
  const committed = await turn.history.commitPartial(rows)
  if (!committed.ok) return committed.error
  progress.rows = [...progress.rows, ...committed.value]
  for (const row of committed.value) turn.publish({ type: 'row-appended', row })
  return null
}

function countingRequests(turn: TurnContext, progress: Progress): TurnContext {
  return {
    ...turn,
    model: (onAttempt) =>
      turn.model((requestSequence) => {
        progress.requests++
        onAttempt(requestSequence)
      })
  }
}

function tellUsage(
  turn: TurnContext,
  progress: Progress,
  step: { requestSequence: number; usage: Row['metadata']['usage'] }
): void {
  const view = usageViewOf(progress.ledger, turn.info, step.usage ?? null)
  if (step.usage === undefined) return
  turn.publish({
    type: 'usage',
    requestSequence: step.requestSequence,
    usage: step.usage,
    contextTokens: view.contextTokens,
    maxTokens: view.maxTokens,
    view
  })
}

const NOTHING_TO_SEND: TurnEndParts = {
  outcome: 'failed',
  reason: 'nothing_to_send',
  message: 'There is nothing here yet that could be sent again. Send a message.'
}

type TurnEndParts = Pick<TurnEnd, 'outcome'> & Partial<Pick<TurnEnd, 'reason' | 'message'>>

function end(progress: Progress, how: TurnEndParts): TurnEnd {
  return { reason: null, message: null, ...how, windowId: progress.windowId, requests: progress.requests }
}

function blockedEnd(block: ContextBlock): TurnEndParts {
  return { outcome: 'context_budget_blocked', reason: block.reason, message: block.message }
}

function blocked(progress: Progress, block: ContextBlock): TurnEnd {
  return end(progress, blockedEnd(block))
}

function unrecorded(windowId: string, requests: number, error: HistoryError): TurnEnd {
  return { outcome: 'failed', reason: 'history', message: error.message, windowId, requests }
}
