// Owns the list of environment variables that may hold a provider's key: child processes go without them (O-2).
import { KEY_ENV_NAMES, KNOWN_ENDPOINTS } from '@common/settings/provider-defaults'
import type { ProviderEntry } from '@common/settings/provider-schema'

/** Names of all variables to keep from child processes: the usual ones and those that entries name. */
export function providerKeyEnvNames(entries: readonly Pick<ProviderEntry, 'apiKeyEnv'>[]): ReadonlySet<string> {
  return new Set([
    ...Object.values(KEY_ENV_NAMES).flat(),
    ...KNOWN_ENDPOINTS.map((endpoint) => endpoint.keyEnv),
    ...entries.flatMap((entry) => entry.apiKeyEnv ?? [])
  ])
}
