// Owns where a key is looked for when an entry names none, and when a provider may be asked without one.
import type { ProviderEntry, ProviderKind } from '@common/settings/provider-schema'

/** The usual environment variables, in the order in which they are tried. */
export const DEFAULT_KEY_ENV: Readonly<Record<ProviderKind, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  'openai-compatible': [],
  demo: []
}

/**
 * The key of the entry's kind from the environment, or null. Only for an entry that names no key and no address
 * of its own: a key found in the environment is never sent to somebody else's server.
 */
export function keyFromEnv(entry: ProviderEntry, env: Readonly<Record<string, string | undefined>>): string | null {
  if (entry.baseUrl !== undefined || entry.apiKeyEnv !== undefined || entry.apiKeyRef !== undefined) return null
  for (const name of DEFAULT_KEY_ENV[entry.kind]) {
    const key = env[name]
    if (key !== undefined && key !== '') return key
  }
  return null
}

/** May the provider be asked without a key: an address of the person's own that names none. */
export function worksWithoutKey(entry: ProviderEntry): boolean {
  if (entry.apiKeyEnv !== undefined || entry.apiKeyRef !== undefined) return false
  return entry.kind === 'openai-compatible' || entry.kind === 'demo' || entry.baseUrl !== undefined
}
