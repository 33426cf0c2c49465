// Owns what a test needs to point the app at a stand-in provider: the entry of providers.json for each protocol.
import type { ProviderEntry, ProviderKind } from '../../../src-common/settings/provider-schema'
import type { WireProtocol } from './scripted-turn'

const KIND_OF: Readonly<Record<WireProtocol, ProviderKind>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  chat: 'openai-compatible',
  google: 'google'
}

/** Looks like a key, so that a test can search for it wherever it must not be. */
export const TEST_API_KEY = 'sk-test-0123456789abcdefghijklmnop'

/** An entry whose id is the protocol's name, with one model. The model's id is what the requests will name. */
export function scriptedEntry(
  protocol: WireProtocol,
  baseUrl: string,
  model: { readonly id: string; readonly contextLimit?: number; readonly maxOutputTokens?: number } = {
    id: 'test-model'
  }
): ProviderEntry {
  return { id: protocol, kind: KIND_OF[protocol], baseUrl, apiKey: TEST_API_KEY, models: [{ ...model }] }
}
