// Owns one step: a provider's answer and the results of the tools that it called, each recorded before it is
// told (H-4). Tools start when the answer is complete; the step is over when all of them have settled.
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { SessionEvent } from '@common/contract/events'
import type { ProviderFailure } from '@common/models/provider-failure'
import type { Row, RowPart, StepPart, ToolPart } from '@common/rows/row-schema'
import { stepPartsUpTo } from '@common/budget/usage-ledger'
import type { PreparedRequest } from '../context/prepare-request'
import type { RequestEnding } from '../context/request-log'
import type { SentRequest } from '../context/request-log-envelope'
import type { HistoryError } from '../history/history-error'
import { failureOfFinish } from '../provider/provider-errors'
import { usageOf } from '../provider/usage-of'
import type { LiveRow } from './live-row'
import type { TurnContext } from './turn-context'

export type StepEnd =
  | {
      readonly kind: 'settled'
      readonly step: StepPart
      readonly parts: RowPart[]
      readonly calledTools: boolean
      /** The answer ended, but as a failure: refused, or the provider's own word that it failed. */
      readonly failure: ProviderFailure | null
      /** The answer reached the model's output limit. */
      readonly cut: boolean
    }
  | { readonly kind: 'interrupted'; readonly requestSequence: number | null }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure; readonly streamed: boolean }
  | { readonly kind: 'unrecorded'; readonly error: HistoryError }

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** A request, and the rows that it was built from; the live row is not among them. */
export type StepRequest = Pick<SentRequest, 'windowId' | 'rows' | 'request'>

/** Streams one answer into `live`, runs its tools, and closes the step. Never throws for what a provider does. */
export async function runStep(turn: TurnContext, live: LiveRow, sent: StepRequest): Promise<StepEnd> {
  const partsBefore = live.row.parts.length
  let requestSequence: number | null = null
  let attempt = 0
  const streamed = (): boolean => live.row.parts.length > partsBefore
  try {
    await turn.requestLog.keepParts(sent.request)
    const finish = await streamAnswer(turn, live, sent.request, (given) => {
      requestSequence = given
      turn.requestLog.attempt({ ...sent, requestSequence, attempt, liveRow: live.row })
      attempt++
    })
    turn.requestLog.settled(requestSequence ?? 0, answeredEnd(finish))
    // What the provider runs by itself is not ours to run; its result may come with a later answer.
    const calls = live.unsettledCalls.filter((call) => call['providerExecuted'] !== true)
    const flushed = await turn.partial.flush()
    if (!flushed.ok) return { kind: 'unrecorded', error: flushed.error }
    const failure = failureOfFinish(finish.finishReason.unified, finish.finishReason.raw, turn)
    const cut = finish.finishReason.unified === 'length'
    const recorded =
      failure !== null || cut ? skipTools(turn, live, calls) : await runTools(turn, live, { calls, rows: sent.rows })
    if (recorded !== null) return { kind: 'unrecorded', error: recorded }
    const step = stepPartOf(turn, requestSequence ?? 0, finish)
    tell(turn, live, live.closeStep(step))
    const parts = stepPartsUpTo(live.row.parts, live.row.parts.length - 1)
    if (turn.abortSignal.aborted) return { kind: 'interrupted', requestSequence }
    return { kind: 'settled', step, parts, calledTools: calls.length > 0 && !cut, failure, cut }
  } catch (error) {
    const failure = turn.abortSignal.aborted ? null : turn.classify(error)
    if (requestSequence !== null) turn.requestLog.settled(requestSequence, unansweredEnd(failure))
    if (failure === null) return { kind: 'interrupted', requestSequence }
    return { kind: 'failed', failure, streamed: streamed() }
  }
}

async function streamAnswer(
  turn: TurnContext,
  live: LiveRow,
  request: PreparedRequest,
  onAttempt: (requestSequence: number) => void
): Promise<Finish> {
  const call = { ...request.callOptions, abortSignal: turn.abortSignal }
  const { stream } = await turn.model(onAttempt).doStream(call)
  const reader = stream.getReader()
  for (;;) {
    const next = await reader.read()
    if (next.done) throw new Error('the stream ended without a finish')
    const part = next.value
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') return part
    if (part.type === 'file') tell(turn, live, live.add(await filePartOf(turn, part)))
    else if (part.type === 'tool-result') tell(turn, live, await providerResult(turn, live, part))
    else tell(turn, live, live.apply(part, turn.clock.now()))
  }
}

/** What a tool of the provider's own gave, under the cap of every result (H-13); a first glimpse of it is none yet. */
async function providerResult(
  turn: TurnContext,
  live: LiveRow,
  part: Extract<LanguageModelV3StreamPart, { type: 'tool-result' }>
): Promise<SessionEvent[]> {
  if (part.preliminary === true) return []
  const { kept, spill } = await turn.capResult(part.result)
  const isError = part.isError === true
  return live.settle(part.toolCallId, {
    state: isError ? 'output-error' : 'output-available',
    output: kept,
    ...(isError ? { errorText: JSON.stringify(kept) } : {}),
    ...(spill === undefined ? {} : { outputSpill: spill })
  })
}

/** Runs the calls side by side; answers the first failure to record a result, else null. */
async function runTools(
  turn: TurnContext,
  live: LiveRow,
  { calls, rows }: { readonly calls: readonly ToolPart[]; readonly rows: readonly Row[] }
): Promise<HistoryError | null> {
  const outcomes = await Promise.all(
    calls.map(async (call) => {
      const { settled, touched } = await turn.callTool(call, live.row.id)
      // Settled in the same moment: a call beside it finds in the row what this one pointed out.
      const skillPointers = turn.pointOutSkills(touched, () => [...rows, live.row])
      const events = live.settle(call.toolCallId, skillPointers.length === 0 ? settled : { ...settled, skillPointers })
      turn.partial.update(live.row)
      const flushed = await turn.partial.flush()
      for (const event of events) turn.publish(event)
      return flushed.ok ? null : flushed.error
    })
  )
  return outcomes.find((error) => error !== null) ?? null
}

/** Calls of an answer that was cut or refused may be half written: none of them runs. */
function skipTools(turn: TurnContext, live: LiveRow, calls: readonly ToolPart[]): null {
  const errorText = 'Not run: the answer ended before it was complete.'
  for (const { toolCallId } of calls) tell(turn, live, live.settle(toolCallId, { state: 'output-error', errorText }))
  return null
}

function tell(turn: TurnContext, live: LiveRow, events: ReturnType<LiveRow['apply']>): void {
  if (events.length === 0) return
  turn.partial.update(live.row)
  for (const event of events) turn.publish(event)
}

function answeredEnd({ usage, finishReason }: Finish): RequestEnding {
  return { outcome: 'answered', usage: usageOf(usage), finishReason: finishReason.unified }
}

function unansweredEnd(failure: ProviderFailure | null): RequestEnding {
  return failure === null ? { outcome: 'interrupted' } : { outcome: 'failed', failure: failure.kind }
}

function stepPartOf(turn: TurnContext, requestSequence: number, finish: Finish): StepPart {
  return {
    type: 'step',
    requestSequence,
    model: turn.settings.modelRef,
    usage: usageOf(finish.usage),
    finishReason: finish.finishReason.unified
  }
}

async function filePartOf(
  turn: TurnContext,
  part: Extract<LanguageModelV3StreamPart, { type: 'file' }>
): Promise<RowPart> {
  const bytes = typeof part.data === 'string' ? Buffer.from(part.data, 'base64') : part.data
  return {
    type: 'file',
    mediaType: part.mediaType,
    url: await turn.keepFile(bytes, part.mediaType),
    bytes: bytes.length
  }
}
