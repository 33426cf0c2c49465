// Owns what an envelope says of a request: the rows that it was built from, and of tools and messages only what the
// envelope before it does not say (V-1). Pure.
import { isBoundary } from '@common/rows/boundaries'
import { isKnownPart, toolPartsOf } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { chainOf, type RequestDigest } from './canonical-request'
import type { PreparedRequest } from './prepare-request'
import type { RequestEnvelope, SequenceSpan } from './request-log-lines'

/** A request that is about to go out. */
export interface SentRequest {
  readonly requestSequence: number
  /** 0, then 1 for the first retry of the same request. */
  readonly attempt: number
  readonly windowId: string
  /** The stored rows that it was built from, each with its sequence. */
  readonly rows: readonly Row[]
  /** The answer under way, behind those rows; a row without a part is none. */
  readonly liveRow: Row
  readonly request: PreparedRequest
}

/** What the next envelope need not say again. */
export interface LastEnvelope {
  readonly requestSequence: number
  readonly digest: RequestDigest
  readonly windowId: string
}

/**
 * The envelope of a request; `before` is the one written before it, null for none. The first of a window says
 * everything, so that what is lost of the log costs one window at most.
 */
export function envelopeOf(
  { requestSequence, attempt, windowId, rows, liveRow, request }: SentRequest,
  { system, tools, messages }: RequestDigest,
  { before, nowMs }: { readonly before: LastEnvelope | null; readonly nowMs: number }
): RequestEnvelope {
  const last = before?.windowId === windowId ? before : null
  const spans = spansOf(rows.slice(Math.max(rows.findLastIndex(isBoundary), 0)))
  const shared = last === null ? 0 : sharedMessages(last.digest.messages, messages)
  const hasSameTools = last !== null && isSameList(last.digest.tools, tools)
  return {
    requestSequence,
    type: 'request',
    kind: request.purpose,
    attempt,
    atMs: nowMs,
    model: request.modelRef,
    windowId,
    lastHistorySequence: spans.at(-1)?.[1] ?? null,
    rows: spans,
    liveRow: answerOf(liveRow),
    system,
    ...(hasSameTools ? {} : { tools: [...tools] }),
    after: shared === 0 && !hasSameTools ? null : (last?.requestSequence ?? null),
    messages: { total: messages.length, shared, added: messages.slice(shared), chain: chainOf(messages) },
    estimate: { tokensAtMost: request.tokensAtMost, counted: request.counted }
  }
}

/** Sequences as spans, in order; rows without one are left out. */
function spansOf(rows: readonly Row[]): SequenceSpan[] {
  const sequences = rows.flatMap(({ metadata }) => metadata.historySequence ?? []).toSorted((a, b) => a - b)
  const spans: SequenceSpan[] = []
  for (const sequence of sequences) {
    const last = spans.at(-1)
    if (last !== undefined && sequence <= last[1] + 1) last[1] = sequence
    else spans.push([sequence, sequence])
  }
  return spans
}

function answerOf(row: Row): RequestEnvelope['liveRow'] {
  if (row.parts.length === 0) return null
  const steps = row.parts.filter((part) => isKnownPart(part) && part.type === 'step').length
  const unsettled = toolPartsOf(row).filter(({ state }) => state === 'input-available')
  return {
    id: row.id,
    steps,
    ...(unsettled.length === 0 ? {} : { unsettled: unsettled.map(({ toolCallId }) => toolCallId) })
  }
}

function sharedMessages(before: RequestDigest['messages'], now: RequestDigest['messages']): number {
  const firstOther = now.findIndex(({ sha256 }, index) => before[index]?.sha256 !== sha256)
  return firstOther === -1 ? now.length : firstOther
}

function isSameList(before: RequestDigest['tools'], now: RequestDigest['tools']): boolean {
  return before.length === now.length && now.every(({ sha256 }, index) => before[index]?.sha256 === sha256)
}
