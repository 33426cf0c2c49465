// Owns what the window asks of settings, providers and models.
import type { ProviderInput, ProviderSuggestion } from '@common/contract/requests'
import { change, type App } from '../app-store'
import { ask, report } from './report'

/** Loads providers and the models that they offer. */
export async function loadProviders(app: App): Promise<void> {
  const [listed, found] = await Promise.all([ask(app, 'providers.list', {}), ask(app, 'models.list', {})])
  change(app, (state) => ({
    ...state,
    providers: listed?.providers ?? state.providers,
    keychain: listed?.keychain ?? state.keychain,
    models: found?.models ?? state.models
  }))
}

/** Asks which keys and servers this machine has; what is found is offered, never taken. */
export async function detectProviders(app: App): Promise<void> {
  const answer = await app.bridge.request('providers.detect', {})
  // Nothing found and not able to look come to the same for the person: there is nothing to offer.
  if (answer.ok) change(app, (state) => ({ ...state, suggestions: answer.value.suggestions }))
}

/** Stores a provider; the sentence of the failure, or null when it is stored. */
export async function saveProvider(app: App, provider: ProviderInput): Promise<string | null> {
  const answer = await app.bridge.request('providers.save', { provider })
  if (!answer.ok) return answer.error.message
  await loadProviders(app)
  return null
}

/** Forgets a provider and its key. */
export async function removeProvider(app: App, providerId: string): Promise<void> {
  const done = await ask(app, 'providers.remove', { providerId })
  if (done !== null) await loadProviders(app)
}

/** Takes a provider that was found on this machine; true when its model is now the one of new workspaces. */
export async function acceptSuggestion(app: App, suggestion: ProviderSuggestion): Promise<boolean> {
  const failure = await saveProvider(app, suggestion.entry)
  if (failure !== null) {
    report(app, 'error', failure)
    return false
  }
  change(app, (state) => ({
    ...state,
    suggestions: state.suggestions.filter((each) => each.entry.id !== suggestion.entry.id)
  }))
  if (suggestion.modelRef === null) return false
  return changeSetting(app, 'defaultModel', suggestion.modelRef)
}

/** Sets one setting; true when it is stored. */
export async function changeSetting(app: App, path: string, value: unknown): Promise<boolean> {
  const answer = await ask(app, 'settings.set', { path, value })
  if (answer === null) return false
  change(app, (state) => ({ ...state, settings: answer.settings }))
  return true
}

/** Asks a provider for a word; what came of it, in one sentence. */
export async function testProvider(app: App, providerId: string): Promise<{ works: boolean; message: string }> {
  const answer = await app.bridge.request('providers.test', { providerId })
  return answer.ok ? answer.value : { works: false, message: answer.error.message }
}
