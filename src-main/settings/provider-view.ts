// Owns what may be told of a provider entry to a screen: where its key comes from and the names of its
// headers; never a key, a header's value or what stands hidden in an address. Pure.
import { PROVIDER_NAMES, usualKeyEnvNames } from '@common/settings/provider-defaults'
import type { ProviderEntry, ProviderView } from '@common/settings/provider-schema'

type Environment = Readonly<Record<string, string | undefined>>

/** The variable that gives the entry's key now, or null. One that the entry names stands alone. */
export function keyEnvOf(entry: ProviderEntry, environment: Environment): string | null {
  const names = entry.apiKeyEnv === undefined ? usualKeyEnvNames(entry) : [entry.apiKeyEnv]
  return names.find((name) => (environment[name] ?? '') !== '') ?? null
}

/** May the provider be asked without a key: the demo, and servers of the person's own that name none. */
export function needsNoKey(entry: ProviderEntry): boolean {
  if (entry.kind === 'demo') return true
  if (entry.apiKeyEnv !== undefined || entry.apiKeyRef !== undefined) return false
  return (entry.kind === 'openai-compatible' || entry.baseUrl !== undefined) && usualKeyEnvNames(entry).length === 0
}

export function providerViewOf(
  entry: ProviderEntry,
  { environment, builtIn }: { environment: Environment; builtIn: boolean }
): ProviderView {
  const keyEnv = keyEnvOf(entry, environment)
  const keySource = keySourceOf(entry, keyEnv)
  return {
    id: entry.id,
    kind: entry.kind,
    name: entry.name ?? (entry.kind === 'openai-compatible' ? entry.id : PROVIDER_NAMES[entry.kind]),
    baseUrl: entry.baseUrl === undefined ? null : shownAddress(entry.baseUrl),
    keySource,
    keyEnv: keySource === 'environment' ? keyEnv : (entry.apiKeyEnv ?? null),
    headerNames: Object.keys(entry.headers ?? {}),
    models: entry.models,
    builtIn
  }
}

/** The address with user, password and query values struck; the same string where it holds none. */
export function shownAddress(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1***@').replace(/([?&][^=&#]+=)[^&#]+/g, '$1***')
}

function keySourceOf(entry: ProviderEntry, keyEnv: string | null): ProviderView['keySource'] {
  if (entry.kind === 'demo') return 'not-needed'
  if (entry.apiKeyRef !== undefined) return 'keychain'
  if ((entry.apiKey ?? '') !== '') return 'file'
  if (keyEnv !== null) return 'environment'
  return needsNoKey(entry) ? 'not-needed' : 'none'
}
