// Owns remembering for a minute which models an endpoint said it has, so that a menu opens at once and a
// server that is not running is not asked again and again. Keeps ids only.
import type { Clock } from '@common/clock'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { fetchModelIds } from './fetch-model-ids'
import type { AskModelIds } from './model-registry'

const KEPT_MS = 60_000
/** A menu waits for this; a server of the person's own is near. */
const TIMEOUT_MS = 1_500

export interface ModelIdCacheOptions {
  /** The entry's key; null where it has none. */
  keyOf(entry: ProviderEntry): string | null
  readonly clock: Clock
  readonly fetch?: typeof globalThis.fetch
}

export function createModelIdCache({ keyOf, clock, fetch = globalThis.fetch }: ModelIdCacheOptions): AskModelIds {
  const asked = new Map<string, { readonly atMs: number; readonly ids: Promise<readonly string[]> }>()
  return (entry) => {
    const name = `${entry.id} ${entry.baseUrl ?? ''}`
    const known = asked.get(name)
    if (known !== undefined && clock.now() - known.atMs < KEPT_MS) return known.ids
    const ids = fetchModelIds(entry, { fetch, apiKey: keyOf(entry), timeoutMs: TIMEOUT_MS }).then((answer) =>
      answer.ok ? answer.value : []
    )
    asked.set(name, { atMs: clock.now(), ids })
    return ids
  }
}
