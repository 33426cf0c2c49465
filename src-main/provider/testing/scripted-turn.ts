// Owns the script of a stand-in provider: what one answer holds and how it may go wrong.
// Plain data, the same for every protocol; the encoders turn it into each provider's own stream.
import type { IncomingHttpHeaders } from 'node:http'

export type WireProtocol = 'anthropic' | 'chat' | 'responses' | 'google'

/** A request as it came in; also what a scripted function decides by. */
export interface SeenRequest {
  /** From 0, in the order of arrival, refused ones included. */
  readonly index: number
  readonly protocol: WireProtocol
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** The bytes of the body as text, for checks that a prefix stays the same. */
  readonly rawBody: string
}

export interface ScriptedToolCall {
  readonly name: string
  readonly input: unknown
  /** Made from the request and the position when absent. */
  readonly id?: string
}

/** Figures as our rows keep them: `inputTokens` is the uncached part. */
export interface ScriptedUsage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

export interface ScriptedTurn {
  readonly thinking?: string
  readonly text?: string
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** What is left out is estimated: four bytes of the request, or of the answer, a token. */
  readonly usage?: Partial<ScriptedUsage>
  /** The provider refuses: with the given words, or without any. */
  readonly refusal?: true | string
  /** The answer stops at the output limit. */
  readonly cutAtLimit?: boolean
  /** Server-sent events to answer with as they are (a recording), instead of the fields above. */
  readonly events?: readonly string[]
  readonly fault?: ScriptedFault
  readonly delivery?: Delivery
}

export type ScriptedFault =
  | { readonly kind: 'rate-limit'; readonly retryAfter?: string; readonly retryAfterMs?: number }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'server-error' }
  | { readonly kind: 'auth' }
  | { readonly kind: 'context-exceeded'; readonly tokens?: number; readonly limit?: number }
  | {
      readonly kind: 'http'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The connection is dropped: at once, or after that many bytes of the answer's body. */
  | { readonly kind: 'drop'; readonly afterBytes?: number }
  /** The body ends in good order, but too early: after that many events. */
  | { readonly kind: 'cut'; readonly afterEvents: number }
  /** Nothing more comes, and the connection stays open: at once, or after that many events. */
  | { readonly kind: 'hang'; readonly afterEvents?: number }
  /** An event that is no JSON, then the rest. */
  | { readonly kind: 'malformed-event'; readonly afterEvents: number }
  /** The provider's own error event instead of the rest. */
  | { readonly kind: 'error-event'; readonly afterEvents: number; readonly overloaded?: boolean }

export interface Delivery {
  /** Characters a delta. */
  readonly pieceChars?: number
  /** Bytes a write: small numbers split characters in the middle. All at once when absent. */
  readonly bytesPerWrite?: number
  /** Milliseconds before each event. */
  readonly delayMs?: number
  /** Awaited before each event, from 0: lets a test hold an answer where it wants. */
  readonly gate?: (eventIndex: number) => Promise<void> | void
}

export type TurnSource = ScriptedTurn | ((request: SeenRequest) => ScriptedTurn | Promise<ScriptedTurn>)

/** What an encoder needs besides the turn. */
export interface EncodedCall {
  /** Distinct for each request of a server. */
  readonly id: string
  readonly model: string
  readonly usage: ScriptedUsage
  /** Signature, encrypted content or thought signature of the turn's thinking. */
  readonly seal: string
}

/** One server-sent event with its blank line. */
export function sse(data: unknown, event?: string): string {
  const payload = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${payload}\n\n`
}

/** The text in pieces of `chars` code points, none of them empty. */
export function piecesOf(text: string, chars = 7): string[] {
  const points = Array.from(text)
  const pieces: string[] = []
  for (let at = 0; at < points.length; at += chars) pieces.push(points.slice(at, at + chars).join(''))
  return pieces
}

/** The id of a tool call: its own, or one made from the request. */
export function toolCallIdOf(call: ScriptedToolCall, position: number, requestId: string): string {
  return call.id ?? `call_${requestId}_${position}`
}
