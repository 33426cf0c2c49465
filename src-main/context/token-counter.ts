// Owns the app's one token counter: what was counted is remembered, the rest goes to the worker thread.
// With a worker file nothing is ever counted on the calling thread; without one (tests, plain tsx) all is.
import { ok } from '@common/result'
import type { Result } from '@common/result'
import { CountCache } from './count-cache'
import type { EncoderFailure } from './count-tokens'
import { resolveEncoding } from './encodings'
import type { EncodingName } from './encodings'
import { TokenWorkerClient } from './token-worker-client'

export interface TokenCounter {
  /** Tokens of one text. `encoding` is a name from the model list; an unknown one counts as its stand-in. */
  countText(text: string, encoding: string): Promise<Result<number, EncoderFailure>>
  /** Tokens of each text, in order, in one round trip; equal texts are counted once. */
  countMany(texts: readonly string[], encoding: string): Promise<Result<number[], EncoderFailure>>
  /** Ends the worker; pending counts fail. */
  close(): Promise<void>
}

/** Counts texts that are not remembered. */
export type CountBackend = (
  texts: readonly string[],
  encoding: EncodingName
) => Promise<Result<number[], EncoderFailure>>

export interface TokenCounterOptions {
  /** Absolute path of token-worker.cjs beside the running bundle; null counts on the calling thread. */
  readonly workerFile: string | null
  /** Stands in for the tokenizer where there is no worker; tests count its calls. */
  readonly countInProcess?: CountBackend
  /** Characters of remembered texts. */
  readonly cacheMaxChars?: number
}

/** Four windows of a million tokens at four characters each, in 16 to 32 MB. */
const CACHE_MAX_CHARS = 16 * 1024 * 1024

/** Nothing is loaded or started before the first count. */
export function createTokenCounter(options: TokenCounterOptions): TokenCounter {
  const cache = new CountCache(options.cacheMaxChars ?? CACHE_MAX_CHARS)
  const client = options.workerFile === null ? null : new TokenWorkerClient(options.workerFile)
  const inProcess = options.countInProcess ?? countInProcess
  const backend: CountBackend = client === null ? inProcess : (texts, encoding) => client.count(texts, encoding)

  async function countMany(texts: readonly string[], encodingName: string): Promise<Result<number[], EncoderFailure>> {
    const { encoding } = resolveEncoding(encodingName)
    const counts = new Map<string, number | null>()
    for (const text of texts) counts.set(text, text === '' ? 0 : (cache.get(text, encoding) ?? null))
    const unknown = [...counts].filter(([, tokens]) => tokens === null).map(([text]) => text)
    if (unknown.length > 0) {
      const counted = await backend(unknown, encoding)
      if (!counted.ok) return counted
      for (const [index, text] of unknown.entries()) {
        const tokens = counted.value[index] ?? null
        counts.set(text, tokens)
        if (tokens !== null) cache.set(text, encoding, tokens)
      }
    }
    return ok(texts.map((text) => known(counts, text)))
  }

  return {
    countMany,
    async countText(text, encoding) {
      const counted = await countMany([text], encoding)
      return counted.ok ? ok(counted.value.reduce((sum, tokens) => sum + tokens, 0)) : counted
    },
    close: async () => client?.close()
  }
}

/** Loaded on demand: the tokenizer is 5.6 MB of WASM that a process with a worker never needs. */
async function countInProcess(
  texts: readonly string[],
  encoding: EncodingName
): Promise<Result<number[], EncoderFailure>> {
  const { countEach } = await import('./count-tokens')
  return countEach(texts, encoding)
}

/** A missing count must not read as none: that would let a request through. */
function known(counts: ReadonlyMap<string, number | null>, text: string): number {
  const tokens = counts.get(text)
  if (typeof tokens !== 'number') throw new Error('The token counter gave too few counts.')
  return tokens
}
