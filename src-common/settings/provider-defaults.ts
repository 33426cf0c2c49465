// Owns what is known of providers without asking them: usual key variables, official hosts, names.
// The variables are those that each provider's own SDK reads (their documentation, November 2026).
import type { ProviderEntry, ProviderKind } from './provider-schema'

/** Variables that may hold the key of an entry of this kind, in the order in which they are tried. */
export const KEY_ENV_NAMES: Readonly<Record<ProviderKind, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  'openai-compatible': [],
  demo: []
}

export const PROVIDER_NAMES: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
  demo: 'Demo'
}

interface KnownEndpoint {
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  readonly keyEnv: string
}

/** Endpoints that speak Chat Completions and have a usual key variable. */
export const KNOWN_ENDPOINTS: readonly KnownEndpoint[] = [
  { id: 'openrouter', name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', keyEnv: 'OPENROUTER_API_KEY' },
  { id: 'deepseek', name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', keyEnv: 'DEEPSEEK_API_KEY' },
  { id: 'groq', name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', keyEnv: 'GROQ_API_KEY' },
  { id: 'mistral', name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', keyEnv: 'MISTRAL_API_KEY' },
  { id: 'xai', name: 'xAI', baseUrl: 'https://api.x.ai/v1', keyEnv: 'XAI_API_KEY' }
]

/** The known endpoint on the host of `baseUrl`, or null; scheme and path do not matter. */
export function knownEndpointOf(baseUrl: string | undefined): KnownEndpoint | null {
  const host = hostOf(baseUrl)
  return host === null ? null : (KNOWN_ENDPOINTS.find((endpoint) => hostOf(endpoint.baseUrl) === host) ?? null)
}

/** Hosts of the providers' own; an entry without an address goes there. */
const OFFICIAL_HOSTS: Readonly<Record<ProviderKind, readonly string[]>> = {
  anthropic: ['api.anthropic.com'],
  openai: ['api.openai.com'],
  google: ['generativelanguage.googleapis.com'],
  'openai-compatible': [],
  demo: []
}

/** True when the entry talks to the provider itself and not to a server of somebody else. */
export function isOfficialHost(entry: Pick<ProviderEntry, 'kind' | 'baseUrl'>): boolean {
  const host = hostOf(entry.baseUrl)
  return host === null ? entry.kind !== 'openai-compatible' : OFFICIAL_HOSTS[entry.kind].includes(host)
}

/**
 * Variables tried for the key of an entry that names none itself. None for an address of somebody else:
 * a key found in the environment goes only to the provider that it belongs to.
 */
export function usualKeyEnvNames(entry: Pick<ProviderEntry, 'kind' | 'baseUrl'>): readonly string[] {
  if (isOfficialHost(entry)) return KEY_ENV_NAMES[entry.kind]
  const endpoint = entry.kind === 'openai-compatible' ? knownEndpointOf(entry.baseUrl) : null
  return endpoint === null ? [] : [endpoint.keyEnv]
}

/** Lower-case host of an absolute address, without port and user; null when it is none. */
export function hostOf(address: string | undefined): string | null {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)/i.exec(address ?? '')?.[1]
  return host === undefined ? null : host.toLowerCase()
}
