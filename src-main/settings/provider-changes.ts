// Owns what saving a provider changes in providers.json. Pure. What the screen does not know (header
// values, hidden parts of an address, fields of a newer version) stays as it is.
import type { ProviderEntry } from '@common/settings/provider-schema'
import type { ConfigChange } from './edit-config-text'
import { shownAddress } from './provider-view'

/** A provider as a screen sends it: a full new state, but for what only the file knows. */
export interface ProviderEdit extends Pick<ProviderEntry, 'id' | 'kind' | 'name' | 'baseUrl' | 'apiKeyEnv' | 'models'> {
  /** Missing leaves the headers alone; an empty value keeps the one stored under that name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What happens to the key fields; missing leaves them alone, null removes a field. */
export interface KeyEdit {
  readonly apiKey: string | null
  readonly apiKeyRef: string | null
}

/** `index` is the entry's place in the file's list, -1 for a new one, null where there is no list yet. */
export function providerChanges(
  index: number | null,
  stored: ProviderEntry | null,
  edit: ProviderEdit,
  key: KeyEdit | null
): ConfigChange[] {
  const fields = fieldsOf(stored, edit, key)
  if (index === null) return [{ path: ['providers'], value: [withoutUndefined(fields)] }]
  if (index === -1) return [{ path: ['providers', -1], value: withoutUndefined(fields) }]
  return Object.entries(fields).map(([name, value]) => ({ path: ['providers', index, name], value }))
}

function fieldsOf(stored: ProviderEntry | null, edit: ProviderEdit, key: KeyEdit | null): Record<string, unknown> {
  const keepsAddress = stored?.baseUrl !== undefined && edit.baseUrl === shownAddress(stored.baseUrl)
  return {
    id: edit.id,
    kind: edit.kind,
    name: edit.name,
    ...(keepsAddress ? {} : { baseUrl: edit.baseUrl }),
    apiKeyEnv: edit.apiKeyEnv,
    ...(key === null ? {} : { apiKey: key.apiKey ?? undefined, apiKeyRef: key.apiKeyRef ?? undefined }),
    ...(edit.headers === undefined ? {} : { headers: headersOf(stored?.headers ?? {}, edit.headers) }),
    models: edit.models.length === 0 ? undefined : edit.models
  }
}

function headersOf(
  stored: Readonly<Record<string, string>>,
  edit: Readonly<Record<string, string>>
): Record<string, string> | undefined {
  const headers = Object.entries(edit).map(([name, value]): [string, string] => [
    name,
    value === '' ? (stored[name] ?? '') : value
  ])
  return headers.length === 0 ? undefined : Object.fromEntries(headers)
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
