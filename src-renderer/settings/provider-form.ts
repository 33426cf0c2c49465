// Owns what the provider form holds and how it becomes a request. Pure. A key or header value that was not
// typed anew is left out or empty, which keeps the stored one.
import {
  ProviderEntry,
  type ModelOverride,
  type ProviderKind,
  type ProviderView
} from '@common/settings/provider-schema'
import { PROVIDER_NAMES } from '@common/settings/provider-defaults'
import type { ProviderInput } from '@common/contract/requests'

export interface ModelLine {
  readonly id: string
  /** Digits, or empty for unknown. */
  readonly contextLimit: string
  readonly stored: ModelOverride | null
}

export interface HeaderLine {
  readonly name: string
  /** Empty keeps a stored value. */
  readonly value: string
  readonly stored: boolean
}

export interface ProviderForm {
  readonly isNew: boolean
  readonly kind: ProviderKind
  readonly id: string
  readonly name: string
  readonly baseUrl: string
  /** Empty keeps the stored key. */
  readonly apiKey: string
  readonly apiKeyEnv: string
  readonly headers: readonly HeaderLine[]
  readonly models: readonly ModelLine[]
}

/** A way to begin: what the *Add* menu offers. */
export interface ProviderTemplate {
  readonly label: string
  readonly hint: string
  readonly kind: ProviderKind
  readonly id: string
  readonly baseUrl: string
  readonly apiKeyEnv: string
}

export type FormProblems = Partial<Record<'id' | 'baseUrl' | 'models' | 'headers', string>>

/** An empty form from a template. The id must not be taken. */
export function newForm(template: ProviderTemplate, takenIds: readonly string[]): ProviderForm {
  let id = template.id
  for (let count = 2; takenIds.includes(id); count += 1) id = `${template.id}-${count}`
  const { kind, label, baseUrl, apiKeyEnv } = template
  return { isNew: true, kind, id, name: label, baseUrl, apiKey: '', apiKeyEnv, headers: [], models: [] }
}

/** The form of a provider that exists. */
export function formOf(view: ProviderView): ProviderForm {
  return {
    isNew: false,
    kind: view.kind,
    id: view.id,
    name: view.name,
    baseUrl: view.baseUrl ?? '',
    apiKey: '',
    apiKeyEnv: view.keyEnv ?? '',
    headers: view.headerNames.map((name) => ({ name, value: '', stored: true })),
    models: view.models.map((model) => ({
      id: model.id,
      contextLimit: model.contextLimit === undefined ? '' : String(model.contextLimit),
      stored: model
    }))
  }
}

/** What is wrong with the form, by field; empty when it can be saved. */
export function problemsOf(form: ProviderForm, takenIds: readonly string[]): FormProblems {
  const problems: FormProblems = {}
  if (!ProviderEntry.shape.id.safeParse(form.id).success)
    problems.id = 'Use lower-case letters, digits, dot, dash or underscore.'
  else if (form.isNew && takenIds.includes(form.id))
    problems.id = 'Another provider has this id. Choose a different one.'
  if (form.baseUrl === '' ? form.kind === 'openai-compatible' : !/^https?:\/\/[^/\s]+/.test(form.baseUrl))
    problems.baseUrl = 'Enter the whole address, such as http://127.0.0.1:11434/v1.'
  if (form.models.some((model) => model.id.trim() === '')) problems.models = 'Each model needs its id.'
  else if (form.models.some((model) => model.contextLimit !== '' && limitOf(model.contextLimit) === null))
    problems.models = 'A limit is a whole number of tokens, or empty.'
  if (form.headers.some((header) => header.name.trim() === '' || (!header.stored && header.value === '')))
    problems.headers = 'Each header needs a name and a value.'
  return problems
}

/** The request that saves a form without problems. */
export function inputOf(form: ProviderForm): ProviderInput {
  return {
    id: form.id,
    kind: form.kind,
    ...(form.name.trim() === '' ? {} : { name: form.name.trim() }),
    ...(form.baseUrl === '' ? {} : { baseUrl: form.baseUrl.trim() }),
    ...(form.apiKey === '' ? {} : { apiKey: form.apiKey.trim() }),
    ...(form.apiKeyEnv.trim() === '' ? {} : { apiKeyEnv: form.apiKeyEnv.trim() }),
    headers: Object.fromEntries(form.headers.map((header) => [header.name.trim(), header.value])),
    models: form.models.map(modelOf)
  }
}

/** The request that sets or clears the limit of one model of a provider. */
export function inputWithLimit(view: ProviderView, modelId: string, limit: number | null): ProviderInput {
  const form = formOf(view)
  const line = form.models.find((model) => model.id === modelId) ?? { id: modelId, contextLimit: '', stored: null }
  const changed = { ...line, contextLimit: limit === null ? '' : String(limit) }
  return inputOf({ ...form, models: [...form.models.filter((model) => model.id !== modelId), changed] })
}

/** A whole positive number of tokens, or null. */
export function limitOf(text: string): number | null {
  const digits = text.replace(/[\s,._]/g, '')
  return /^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : null
}

/** Where the key comes from, in words. */
export function keySentence(view: ProviderView): string {
  switch (view.keySource) {
    case 'keychain':
      return 'Key in the system’s keychain'
    case 'file':
      return 'Key in providers.json'
    case 'environment':
      return `Key from ${view.keyEnv ?? 'the environment'}`
    case 'none':
      return 'No key yet'
    case 'not-needed':
      return view.kind === 'demo' ? 'Built in, no network' : 'Needs no key'
  }
}

/** The name of the protocol, where it says more than the provider's own name. */
export function kindText(view: ProviderView): string {
  const name = PROVIDER_NAMES[view.kind]
  return name === view.name ? '' : name
}

function modelOf(line: ModelLine): ModelOverride {
  const { contextLimit: _old, ...rest } = line.stored ?? { id: line.id }
  const limit = limitOf(line.contextLimit)
  return { ...rest, id: line.id.trim(), ...(limit === null ? {} : { contextLimit: limit }) }
}
