// Owns the ending of a model's stream: whatever the provider and the SDK do, a guarded stream ends in exactly one
// `finish` or one `error`, or throws an AbortError. The SDK's adapters close an answer that was cut short with
// `finish: other`, go on after errors, and may finish twice; none of that gets past here.
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { abortErrorOf, orAborted } from './abort'
import { FailedAnswerError, MalformedStreamError } from './provider-failure-error'

type Part = LanguageModelV3StreamPart
type PartReader = ReadableStreamDefaultReader<Part>

/** The head of a stream that was read to see whether it works. */
export interface OpenedStream {
  /** What was read, ending with the first content or with `finish`. */
  readonly head: readonly Part[]
  readonly reader: PartReader
}

/**
 * Reads until the first part that a person could see, or the finish of an empty answer. Throws what went wrong
 * before that: then nothing was streamed and the step may be tried again. Starts of blocks are held back.
 */
export async function openStream(stream: ReadableStream<Part>, signal: AbortSignal | undefined): Promise<OpenedStream> {
  const reader = stream.getReader()
  const head: Part[] = []
  try {
    for (;;) {
      const part = await nextPart(reader, signal)
      if (part.type === 'error') throw part.error
      head.push(part)
      if (part.type === 'finish' || isContent(part)) return { head, reader }
    }
  } catch (error) {
    letGo(reader, error)
    throw error
  }
}

/**
 * The whole stream from its opened head. A failure after the head becomes the last part, an `error` holding
 * `failureOf(error)`; an abort errors the stream at once.
 */
export function guardStream(
  opened: OpenedStream,
  signal: AbortSignal | undefined,
  failureOf: (error: unknown) => Error
): ReadableStream<Part> {
  const { reader } = opened
  const head = [...opened.head]
  let onAbort: (() => void) | undefined
  const release = (): void => {
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
  }
  return new ReadableStream<Part>(
    {
      start(controller) {
        onAbort = () => {
          if (signal === undefined) return
          const error = abortErrorOf(signal)
          controller.error(error)
          letGo(reader, error)
        }
        if (signal?.aborted === true) onAbort()
        else signal?.addEventListener('abort', onAbort, { once: true })
      },
      async pull(controller) {
        const part = await (head.shift() ?? nextPart(reader, signal).catch(asErrorPart))
        if (signal?.aborted === true) return
        controller.enqueue(part.type === 'error' ? { type: 'error', error: failureOf(part.error) } : part)
        if (part.type !== 'finish' && part.type !== 'error') return
        release()
        controller.close()
        if (part.type === 'error') letGo(reader, part.error)
        else await drain(reader)
      },
      async cancel(reason) {
        release()
        await reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
}

/** The next part; throws on a broken stream, on an end without a finish and on a finish that is none. */
async function nextPart(reader: PartReader, signal: AbortSignal | undefined): Promise<Part> {
  const next = await orAborted(reader.read(), signal, () => {})
  if (next.done) throw new MalformedStreamError('the stream ended without a finish')
  if (next.value.type === 'finish') assertFinished(next.value)
  return next.value
}

function assertFinished(part: Part & { type: 'finish' }): void {
  const { unified, raw } = part.finishReason
  if (unified === 'error' || raw === 'error') {
    if (raw === 'MALFORMED_FUNCTION_CALL') throw new MalformedStreamError(raw)
    throw new FailedAnswerError(raw ?? 'error')
  }
  // What the adapters of OpenAI and Google report when the connection ended before the provider's own end.
  if (unified === 'other' && raw === undefined)
    throw new MalformedStreamError('the stream ended without a finish reason')
}

function isContent(part: Part): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta !== ''
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-input-end':
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'file':
    case 'source':
      return true
    case 'stream-start':
    case 'response-metadata':
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
    case 'raw':
    case 'finish':
    case 'error':
      return false
  }
}

function asErrorPart(error: unknown): Part {
  return { type: 'error', error }
}

/** Reads what is left after the finish, so that the connection can be used again. */
async function drain(reader: PartReader): Promise<void> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read());
  } catch {
    // The answer is complete; how its connection ended changes nothing.
  }
}

function letGo(reader: PartReader, reason: unknown): void {
  // A stream that is already broken refuses to be cancelled; there is nothing left to free then.
  reader.cancel(reason).catch(() => {})
}
