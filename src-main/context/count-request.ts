// Owns the size of an assembled request: an upper bound by bytes, and the exact count behind it (P-3, P-4).
// Messages, tools and JSON values are values: each object is measured once for an encoding and remembered by
// identity, so that a recount after one new message costs that message (F-7). Changing one in place is a bug.
import type { LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { ESTIMATE_CHARS_PER_TOKEN, MESSAGE_FRAMING_TOKENS } from '@common/constants'
import { ok } from '@common/result'
import type { Result } from '@common/result'
import type { EncoderFailure } from './count-tokens'
import { resolveEncoding } from './encodings'
import type { EncodingName } from './encodings'
import { messagePieces, toolPieces } from './request-pieces'
import type { RequestPieces } from './request-pieces'
import type { TokenCounter } from './token-counter'

/** What a request is made of. */
export type RequestItem = LanguageModelV3Message | LanguageModelV3FunctionTool

export interface CountableRequest {
  readonly prompt: LanguageModelV3Prompt
  /** Advertised tools only: a deferred schema costs nothing until it is sent. */
  readonly tools: readonly LanguageModelV3FunctionTool[]
}

export interface RequestTokens {
  readonly tokens: number
  readonly basis: 'counted'
  /** The model's own tokenizer is not public; a stand-in counted. */
  readonly estimated: boolean
}

/** Every part of a request, measured. */
export interface MeasuredRequest {
  /** Tokens of a message or a tool of this request; throws for any other. */
  tokensOf(item: RequestItem): number
  /** Of those, the allowances of pictures and documents. */
  mediaTokensOf(item: RequestItem): number
  /** As of RequestTokens. */
  readonly estimated: boolean
}

export interface CountingWith {
  /** Name from the model list; an unknown one counts as its stand-in. */
  readonly encoding: string
  readonly counter: TokenCounter
}

/** Tokens at most, of a message or a tool. */
const bounds = new WeakMap<RequestItem, number>()
/** Allowances of media in a message. */
const media = new WeakMap<RequestItem, number>()
/** UTF-8 bytes of a JSON value as serialised. */
const jsonBytes = new WeakMap<object, number>()
/** Tokens of messages, tools and JSON values, as one counter counted them. */
const counts = new WeakMap<TokenCounter, Record<EncodingName, WeakMap<object, number>>>()

/**
 * Tokens that a request holds at most, without a tokenizer: a token is at least a byte. Never below what
 * `countRequest` gives, so a request whose bound is under the ceiling needs no count.
 */
export function requestBytesUpperBound(
  prompt: LanguageModelV3Prompt,
  tools: readonly LanguageModelV3FunctionTool[]
): number {
  return sum(prompt, boundOf) + sum(tools, boundOf)
}

/** Tokens of a request, or why they cannot be known; then it must not be sent. */
export async function countRequest(
  request: CountableRequest,
  using: CountingWith
): Promise<Result<RequestTokens, EncoderFailure>> {
  const measured = await measureRequest(request, using)
  if (!measured.ok) return measured
  const { tokensOf, estimated } = measured.value
  return ok({ tokens: sum(request.prompt, tokensOf) + sum(request.tools, tokensOf), basis: 'counted', estimated })
}

/** Counts each message and tool of a request that is not known yet. */
export async function measureRequest(
  request: CountableRequest,
  { encoding: encodingName, counter }: CountingWith
): Promise<Result<MeasuredRequest, EncoderFailure>> {
  const { encoding, estimated } = resolveEncoding(encodingName)
  const known = countsOf(counter, encoding)
  const items: RequestItem[] = [...request.prompt, ...request.tools]
  const added = unknownOf(items, known).map((item) => ({ item, pieces: piecesOf(item) }))
  if (added.length > 0) {
    const values = unknownOf(
      added.flatMap(({ pieces }) => pieces.values),
      known
    )
    const texts = added.flatMap(({ pieces }) => pieces.texts)
    const serialised = values.map((value) => JSON.stringify(value))
    const counted = await counter.countMany([...serialised, ...texts], encoding)
    if (!counted.ok) return counted
    const next = inOrder(counted.value)
    for (const value of values) known.set(value, next())
    for (const { item, pieces } of added) {
      media.set(item, pieces.mediaTokens)
      known.set(item, tokensOfPieces(pieces, next, known))
    }
  }
  return ok({
    tokensOf: (item) => countOf(known, item),
    mediaTokensOf: (item) => countOf(media, item),
    estimated
  })
}

/** `next` gives the counts of the item's texts, one after another. */
function tokensOfPieces(pieces: RequestPieces, next: () => number, known: WeakMap<object, number>): number {
  return (
    MESSAGE_FRAMING_TOKENS +
    pieces.mediaTokens +
    sum(pieces.texts, next) +
    sum(pieces.values, (value) => countOf(known, value)) +
    // The model reads what is sealed, not the base64 around it, which is longer.
    sum(pieces.sealed, (value) => Math.ceil(jsonBytesOf(value) / ESTIMATE_CHARS_PER_TOKEN))
  )
}

function boundOf(item: RequestItem): number {
  const known = bounds.get(item)
  if (known !== undefined) return known
  const { mediaTokens, texts, values, sealed } = piecesOf(item)
  const textBytes = sum(texts, (text) => Buffer.byteLength(text))
  const tokens = MESSAGE_FRAMING_TOKENS + mediaTokens + textBytes + sum(values, jsonBytesOf) + sum(sealed, jsonBytesOf)
  bounds.set(item, tokens)
  return tokens
}

function jsonBytesOf(value: object): number {
  const known = jsonBytes.get(value)
  if (known !== undefined) return known
  const bytes = Buffer.byteLength(JSON.stringify(value))
  jsonBytes.set(value, bytes)
  return bytes
}

function piecesOf(item: RequestItem): RequestPieces {
  return 'role' in item ? messagePieces(item) : toolPieces(item)
}

function countsOf(counter: TokenCounter, encoding: EncodingName): WeakMap<object, number> {
  let byEncoding = counts.get(counter)
  if (byEncoding === undefined) {
    byEncoding = { o200k_base: new WeakMap(), cl100k_base: new WeakMap() }
    counts.set(counter, byEncoding)
  }
  return byEncoding[encoding]
}

/** Each object that is not measured yet, once. */
function unknownOf<T extends object>(measured: readonly T[], known: WeakMap<object, number>): T[] {
  return [...new Set(measured.filter((each) => !known.has(each)))]
}

/** A missing count must not read as none: that would let a request through. */
function countOf(known: WeakMap<object, number>, measured: object): number {
  const tokens = known.get(measured)
  if (tokens === undefined) throw new Error('A part of the request was not counted.')
  return tokens
}

function inOrder(numbers: readonly number[]): () => number {
  let index = 0
  return () => {
    const value = numbers[index++]
    if (value === undefined) throw new Error('The token counter gave too few counts.')
    return value
  }
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0)
}
