// Owns providers.json: which providers there are, where their keys lie, and saving both. Keys leave this
// file through `resolveKey` alone; views, problems and the log never hold one. The demo is always there.
import type { Clock } from '@common/clock'
import { type Result, err, ok } from '@common/result'
import { KEY_ENV_NAMES, KNOWN_ENDPOINTS, PROVIDER_NAMES } from '@common/settings/provider-defaults'
import {
  type ProviderEntry,
  ProviderEntry as EntrySchema,
  ProvidersFile,
  type ProviderView
} from '@common/settings/provider-schema'
import type { AppPaths } from '../files/app-paths'
import type { Log } from '../files/log'
import { ConfigFile, type ConfigWriteError } from './config-file'
import type { ConfigProblem } from './config-text'
import { type KeyEdit, type ProviderEdit, providerChanges } from './provider-changes'
import { keyEnvOf, needsNoKey, providerViewOf } from './provider-view'
import type { SecretCipher } from './secret-cipher'
import { SecretStore } from './secret-store'

export interface KeyError {
  readonly kind: 'none' | 'no-cipher' | 'missing' | 'unreadable'
  /** What is missing and where to put it. */
  readonly message: string
}

export interface SavedProvider {
  readonly view: ProviderView
  /** Something the person should know, as that the key lies in a file; null when all is as usual. */
  readonly note: string | null
}

export interface ProviderStore {
  /** Entries of the file alone. */
  stored(): readonly ProviderEntry[]
  /** Stored entries first, then those found in the environment, then the demo. */
  entries(): readonly ProviderEntry[]
  views(): ProviderView[]
  problems(): readonly ConfigProblem[]
  /** Can keys go to a keychain here? */
  keychain(): boolean
  /** The entry's key; null where it needs none. */
  resolveKey(entry: ProviderEntry): Result<string | null, KeyError>
  /** Has a key or needs none, as far as can be told without opening the keychain. */
  isAvailable(entry: ProviderEntry): boolean
  /** All secrets known now, for a redactor: keys and header values. */
  secretValues(): string[]
  /** `apiKey`: missing keeps the present one, null removes it. */
  save(edit: ProviderEdit, key?: { apiKey?: string | null }): Promise<Result<SavedProvider, ConfigWriteError>>
  remove(providerId: string): Promise<Result<void, ConfigWriteError>>
  refresh(): boolean
  acceptDefaults(): Promise<Result<void, ConfigWriteError>>
  subscribe(listener: () => void): () => void
}

export interface ProviderStoreOptions {
  readonly paths: Pick<AppPaths, 'providers' | 'secrets'>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cipher: SecretCipher | null
  readonly log: Log
  readonly clock: Clock
}

const DEMO: ProviderEntry = { id: 'demo', kind: 'demo', name: PROVIDER_NAMES.demo, models: [] }

const NO_KEYCHAIN =
  'There is no keychain on this system, so the key is kept in providers.json, which only your user can read.'

export function openProviderStore(options: ProviderStoreOptions): ProviderStore {
  const { environment, cipher, paths } = options
  const file = new ConfigFile<ProvidersFile>(paths.providers, ProvidersFile, options)
  const secrets = new SecretStore(paths.secrets, cipher, options)

  const stored = (): ProviderEntry[] => firstOfEachId(file.value().providers)
  const found = (): ProviderEntry[] => entriesFromEnvironment(environment)
  const entries = (): ProviderEntry[] => firstOfEachId([...stored(), ...found(), DEMO])
  const viewOf = (entry: ProviderEntry): ProviderView =>
    providerViewOf(entry, { environment, builtIn: !stored().includes(entry) })

  function resolveKey(entry: ProviderEntry): Result<string | null, KeyError> {
    const kept = entry.apiKeyRef === undefined ? null : secrets.open(entry.apiKeyRef)
    if (kept?.ok === true) return kept
    if ((entry.apiKey ?? '') !== '') return ok(entry.apiKey ?? null)
    const variable = keyEnvOf(entry, environment)
    if (variable !== null) return ok(environment[variable] ?? null)
    if (kept !== null)
      return err({ kind: kept.error.kind, message: `${entry.name ?? entry.id}: ${kept.error.message}` })
    return needsNoKey(entry) ? ok(null) : err({ kind: 'none', message: noKeyMessage(entry) })
  }

  async function placeKey(id: string, apiKey: string | null): Promise<Result<KeyEdit, ConfigWriteError>> {
    const reference = `provider:${id}`
    if (apiKey === null || apiKey === '') {
      if (secrets.has(reference)) {
        const forgotten = await secrets.forget(reference)
        if (!forgotten.ok) return forgotten
      }
      return ok({ apiKey: null, apiKeyRef: null })
    }
    if (!secrets.canKeep()) return ok({ apiKey, apiKeyRef: null })
    const kept = await secrets.keep(reference, apiKey)
    return kept.ok ? ok({ apiKey: null, apiKeyRef: reference }) : kept
  }

  async function save(
    edit: ProviderEdit,
    key: { apiKey?: string | null } = {}
  ): Promise<Result<SavedProvider, ConfigWriteError>> {
    const checked = EntrySchema.safeParse(withoutSecretFields(edit))
    if (!checked.success) {
      const why = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
      return invalid(`The provider was not saved: ${why}.`)
    }
    // Refused before a key is placed: a key without an entry would be lost.
    const refused = file.problems().find((problem) => problem.kind === 'broken' || problem.path === 'providers')
    if (refused !== undefined) return err({ kind: 'broken', message: `Nothing was saved. ${refused.message}` })
    const placed = key.apiKey === undefined ? null : await placeKey(edit.id, key.apiKey)
    if (placed !== null && !placed.ok) return placed
    const saved = await file.edit((current, raw) => {
      const present = current.providers.find((entry) => entry.id === edit.id) ?? null
      return ok(providerChanges(indexIn(raw, edit.id), present, edit, placed?.value ?? null))
    })
    if (!saved.ok) return saved
    const entry = stored().find((candidate) => candidate.id === edit.id)
    if (entry === undefined) return invalid(`The provider ${edit.id} was not saved: another process removed it.`)
    const inFile = placed?.ok === true && placed.value.apiKey !== null
    return ok({ view: viewOf(entry), note: inFile ? NO_KEYCHAIN : null })
  }

  async function remove(providerId: string): Promise<Result<void, ConfigWriteError>> {
    if (!stored().some((entry) => entry.id === providerId)) {
      return invalid(`There is no stored provider ${providerId} to remove.`)
    }
    const saved = await file.edit((_current, raw) => {
      const index = indexIn(raw, providerId)
      return ok(index === null || index === -1 ? [] : [{ path: ['providers', index], value: undefined }])
    })
    if (!saved.ok) return saved
    return secrets.has(`provider:${providerId}`) ? secrets.forget(`provider:${providerId}`) : ok(undefined)
  }

  return {
    stored,
    entries,
    views: () => entries().map(viewOf),
    problems: () => [...file.problems(), ...secrets.problems()],
    keychain: () => secrets.canKeep(),
    resolveKey,
    isAvailable: (entry) =>
      entry.apiKeyRef !== undefined && secrets.canKeep() ? secrets.has(entry.apiKeyRef) : resolveKey(entry).ok,
    secretValues: () =>
      entries().flatMap((entry) => {
        const key = resolveKey(entry)
        return [key.ok ? key.value : null, entry.apiKey, ...Object.values(entry.headers ?? {})].filter(isText)
      }),
    save,
    remove,
    refresh() {
      secrets.refresh()
      return file.refresh()
    },
    async acceptDefaults() {
      const accepted = await file.acceptDefaults()
      return accepted.ok ? ok(undefined) : accepted
    },
    subscribe: (listener) => file.subscribe(() => listener())
  }
}

/** Providers that work with a key from the environment alone; a stored entry of the same id takes their place. */
function entriesFromEnvironment(environment: Readonly<Record<string, string | undefined>>): ProviderEntry[] {
  const own = (['anthropic', 'openai', 'google'] as const).flatMap((kind): ProviderEntry[] => {
    const apiKeyEnv = KEY_ENV_NAMES[kind].find((name) => (environment[name] ?? '') !== '')
    return apiKeyEnv === undefined ? [] : [{ id: kind, kind, name: PROVIDER_NAMES[kind], apiKeyEnv, models: [] }]
  })
  const others = KNOWN_ENDPOINTS.flatMap(({ id, name, baseUrl, keyEnv }): ProviderEntry[] =>
    (environment[keyEnv] ?? '') === ''
      ? []
      : [{ id, kind: 'openai-compatible', name, baseUrl, apiKeyEnv: keyEnv, models: [] }]
  )
  return [...own, ...others]
}

function firstOfEachId(entries: readonly ProviderEntry[]): ProviderEntry[] {
  return entries.filter((entry, index) => entries.findIndex((other) => other.id === entry.id) === index)
}

/** Place of an entry in the file's own list, -1 when it is not in it, null when there is no list. */
function indexIn(raw: unknown, providerId: string): number | null {
  const list: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'providers') : undefined
  if (!Array.isArray(list)) return null
  return list.findIndex(
    (entry: unknown) => typeof entry === 'object' && entry !== null && Reflect.get(entry, 'id') === providerId
  )
}

function noKeyMessage(entry: ProviderEntry): string {
  const name = entry.name ?? entry.id
  if (entry.apiKeyEnv !== undefined) {
    return `${name} has no key: set the environment variable ${entry.apiKeyEnv}, or enter a key in the settings.`
  }
  const variables = KEY_ENV_NAMES[entry.kind].join(' or ')
  return `${name} has no key: enter one in the settings${variables === '' ? '' : ` or set ${variables}`}.`
}

function withoutSecretFields(edit: ProviderEdit): unknown {
  return { ...edit, apiKey: undefined, apiKeyRef: undefined }
}

function isText(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value !== ''
}

function invalid(message: string): Result<never, ConfigWriteError> {
  return err({ kind: 'invalid', message })
}
