// Owns where a key is looked for when an entry holds none, and when a provider may be asked without one.
import { usualKeyEnvNames } from '@common/settings/provider-defaults'
import type { ProviderEntry } from '@common/settings/provider-schema'

/**
 * The key of the entry from the environment, or null: the variable that it names, else the usual ones of its provider.
 * A key found in the environment is never sent to somebody else's server.
 */
export function keyFromEnv(entry: ProviderEntry, env: Readonly<Record<string, string | undefined>>): string | null {
  const names = entry.apiKeyEnv === undefined ? usualKeyEnvNames(entry) : [entry.apiKeyEnv]
  for (const name of names) {
    const key = env[name]
    if (key !== undefined && key !== '') return key
  }
  return null
}

/** May the provider be asked without a key: a server of the person's own that names none, and has no usual one. */
export function worksWithoutKey(entry: ProviderEntry): boolean {
  if (entry.apiKeyEnv !== undefined || entry.apiKeyRef !== undefined) return false
  return (entry.kind === 'openai-compatible' || entry.baseUrl !== undefined) && usualKeyEnvNames(entry).length === 0
}
