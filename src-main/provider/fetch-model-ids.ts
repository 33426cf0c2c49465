// Owns asking an endpoint which models it has: `GET {baseUrl}/models`, as OpenAI-compatible servers answer it.
// One short request; an answer that never comes or makes no sense is an error in words, which holds no key.
import { type Result, err, ok } from '@common/result'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { z } from 'zod'

/** A list is small; a server that needs longer is not one to wait for in a menu. */
const TIMEOUT_MS = 5_000
/** OpenRouter lists about 600 models. */
const MAX_MODELS = 5_000

const Answer = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })) })

export interface FetchModelIdsOptions {
  readonly fetch: typeof globalThis.fetch
  readonly apiKey: string | null
  readonly timeoutMs?: number
}

/** Ids in the server's order. */
export async function fetchModelIds(
  entry: Pick<ProviderEntry, 'id' | 'baseUrl' | 'headers'>,
  { fetch, apiKey, timeoutMs = TIMEOUT_MS }: FetchModelIdsOptions
): Promise<Result<string[], string>> {
  if (entry.baseUrl === undefined) return err(`${entry.id} has no address to ask for its models.`)
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), timeoutMs)
  try {
    const response = await fetch(`${entry.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...entry.headers },
      signal: abort.signal
    })
    if (!response.ok) return err(`${entry.id} answered ${response.status} when asked for its models.`)
    const answer = Answer.safeParse(await response.json())
    if (!answer.success) return err(`${entry.id} answered something else than a list of models.`)
    return ok([...new Set(answer.data.data.map((model) => model.id))].slice(0, MAX_MODELS))
  } catch (cause) {
    // The network's own words may quote the address with what is hidden in it; the kind of failure is enough.
    if (abort.signal.aborted) return err(`${entry.id} did not answer within ${timeoutMs / 1_000} s. Is it running?`)
    const why = cause instanceof SyntaxError ? 'answered no JSON' : 'could not be reached'
    return err(`${entry.id} ${why} when asked for its models. Check its address.`)
  } finally {
    clearTimeout(timer)
  }
}
