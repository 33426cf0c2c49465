// Owns the exact count of one text: tiktoken over bounded parts. Loads the tokenizer's WASM, so only the
// worker thread and tests import it; encoders are built on first use (half a second each).
// Never less than the tokens of the text, never more than its UTF-8 bytes.
import { get_encoding } from 'tiktoken'
import { COUNTING_CHUNK_SLACK_TOKENS } from '@common/constants'
import { err, ok } from '@common/result'
import type { Result } from '@common/result'
import { cutText } from './cut-runs'
import type { EncodingName } from './encodings'
import { createWordCounter } from './word-counter'

/** The tokenizer failed: the request's size is unknown and it must not be sent (P-3). */
export interface EncoderFailure {
  readonly kind: 'encoder_failed'
  /** One sentence: what happened, to what. */
  readonly message: string
}

/** Tokens of a part of a text; may throw. */
export type CountPart = (part: string) => number

const counters = new Map<EncodingName, CountPart>()

/** tiktoken for an encoding. Look-alikes of special tokens count as the text that they are. */
function tiktokenCounter(encoding: EncodingName): CountPart {
  const known = counters.get(encoding)
  if (known !== undefined) return known
  const count = createWordCounter(encoding, get_encoding(encoding))
  counters.set(encoding, count)
  return count
}

/**
 * Tokens of `text`. Exact for a text that needs no cut; a text that was cut is charged
 * COUNTING_CHUNK_SLACK_TOKENS for each of its chunks. A token is at least a byte, which bounds both.
 */
export function countTokens(
  text: string,
  encoding: EncodingName,
  counterFor: (encoding: EncodingName) => CountPart = tiktokenCounter
): Result<number, EncoderFailure> {
  const { parts, chunks } = cutText(text)
  let tokens = parts.length > 1 ? chunks * COUNTING_CHUNK_SLACK_TOKENS : 0
  try {
    const count = counterFor(encoding)
    for (const part of parts) tokens += count(part)
  } catch (cause) {
    // A trapped WASM instance may be damaged: the next count starts with a new encoder.
    counters.delete(encoding)
    const reason = cause instanceof Error ? cause.message : String(cause)
    return err({ kind: 'encoder_failed', message: `The tokenizer ${encoding} failed: ${reason}.` })
  }
  return ok(Math.min(tokens, Buffer.byteLength(text)))
}

/** Tokens of each text, in order; the first failure ends it. */
export function countEach(texts: readonly string[], encoding: EncodingName): Result<number[], EncoderFailure> {
  const counts: number[] = []
  for (const text of texts) {
    const count = countTokens(text, encoding)
    if (!count.ok) return count
    counts.push(count.value)
  }
  return ok(counts)
}
