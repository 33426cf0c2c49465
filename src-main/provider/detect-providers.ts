// Owns finding providers on this machine to offer at first run (L-1): keys in the usual variables, and an
// Ollama that answers. Reads values only to see whether they are there; stores nothing.
import type { ProviderSuggestion } from '@common/contract/requests'
import { KEY_ENV_NAMES, KNOWN_ENDPOINTS, PROVIDER_NAMES } from '@common/settings/provider-defaults'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { z } from 'zod'
import { knownModels } from './model-data'

/** Long enough for a server on this machine, short enough not to be noticed at first run. */
const OLLAMA_TIMEOUT_MS = 300
const OLLAMA_ADDRESS = 'http://127.0.0.1:11434'
/** More would fill the screen; the rest is listed once the provider is added. */
const MAX_OLLAMA_MODELS = 20

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) })

export interface DetectOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What is stored already is not offered again. */
  readonly stored?: readonly Pick<ProviderEntry, 'id'>[]
  readonly fetch?: typeof globalThis.fetch
  /** Only for tests: where Ollama would listen. */
  readonly ollamaAddress?: string
}

/** What was found, keys first. Never fails: what does not answer is not there. */
export async function detectProviders(options: DetectOptions): Promise<ProviderSuggestion[]> {
  const isStored = (id: string): boolean => options.stored?.some((entry) => entry.id === id) ?? false
  const ollama = isStored('ollama') ? null : await findOllama(options)
  const found = [...suggestionsFromKeys(options.environment), ...(ollama === null ? [] : [ollama])]
  return found.filter((suggestion) => !isStored(suggestion.entry.id))
}

function suggestionsFromKeys(environment: DetectOptions['environment']): ProviderSuggestion[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== ''
  const own = (['anthropic', 'openai', 'google'] as const).flatMap((kind): ProviderSuggestion[] => {
    const apiKeyEnv = KEY_ENV_NAMES[kind].find(isSet)
    if (apiKeyEnv === undefined) return []
    const first = [...knownModels(kind).keys()][0]
    return [
      {
        entry: { id: kind, kind, name: PROVIDER_NAMES[kind], apiKeyEnv, models: [] },
        found: `A key in the environment variable ${apiKeyEnv}`,
        modelRef: first === undefined ? null : `${kind}:${first}`
      }
    ]
  })
  const others = KNOWN_ENDPOINTS.filter(({ keyEnv }) => isSet(keyEnv)).map(
    ({ id, name, baseUrl, keyEnv }): ProviderSuggestion => ({
      entry: { id, kind: 'openai-compatible', name, baseUrl, apiKeyEnv: keyEnv, models: [] },
      found: `A key in the environment variable ${keyEnv}`,
      modelRef: null
    })
  )
  return [...own, ...others]
}

async function findOllama({
  fetch = globalThis.fetch,
  ollamaAddress = OLLAMA_ADDRESS
}: DetectOptions): Promise<ProviderSuggestion | null> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), OLLAMA_TIMEOUT_MS)
  try {
    const response = await fetch(`${ollamaAddress}/api/tags`, { signal: abort.signal })
    const tags = response.ok ? OllamaTags.safeParse(await response.json()) : null
    if (tags?.success !== true) return null
    const names = tags.data.models.map((model) => model.name).slice(0, MAX_OLLAMA_MODELS)
    return {
      entry: {
        id: 'ollama',
        kind: 'openai-compatible',
        name: 'Ollama',
        baseUrl: `${ollamaAddress}/v1`,
        models: names.map((id) => ({ id }))
      },
      found: names.length === 0 ? 'Ollama on this machine, without a model yet' : 'Ollama on this machine',
      modelRef: names[0] === undefined ? null : `ollama:${names[0]}`
    }
  } catch (cause) {
    // Refused, timed out or no JSON: there is no Ollama here. Anything that is no Error is a bug.
    if (cause instanceof Error) return null
    throw cause
  } finally {
    clearTimeout(timer)
  }
}
