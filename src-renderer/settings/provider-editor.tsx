// Owns the form of one provider. The key is written, never read: the field says where the stored one is.
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { usualKeyEnvNames } from '@common/settings/provider-defaults'
import { Button } from '../ui/button'
import { TextField } from '../ui/text-field'
import { HeaderRows, ModelRows } from './provider-rows'
import { problemsOf, type FormProblems, type ProviderForm } from './provider-form'

export interface ProviderEditorProps {
  readonly form: ProviderForm
  readonly takenIds: readonly string[]
  /** Where the stored key is, in words; null for a new provider. */
  readonly keyNote: string | null
  /** True when the system has a keychain; else keys stay in a private file. */
  readonly keychain: boolean
  /** The sentence of a failed save, or null. */
  readonly failure: string | null
  readonly onChange: (form: ProviderForm) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

export function ProviderEditor(props: ProviderEditorProps) {
  const { form, keyNote, failure, onChange } = props
  const [tried, setTried] = useState(false)
  const problems = problemsOf(form, props.takenIds)
  const shown: FormProblems = tried ? problems : {}
  const set = (changes: Partial<ProviderForm>) => onChange({ ...form, ...changes })
  const save = () => {
    setTried(true)
    if (Object.keys(problems).length === 0) props.onSave()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      className="flex flex-col gap-4"
    >
      <div>
        <Button small kind="quiet" icon={<ArrowLeft size={14} />} onClick={props.onCancel}>
          Providers
        </Button>
      </div>
      <div className="grid gap-4 narrow:grid-cols-2">
        <TextField label="Name" value={form.name} onChange={(name) => set({ name })} />
        <TextField
          mono
          label="Id"
          hint="Written before each model, as in id:model."
          error={shown.id ?? null}
          readOnly={!form.isNew}
          value={form.id}
          onChange={(id) => set({ id })}
        />
      </div>
      <TextField
        mono
        label="Base URL"
        hint={urlHint(form)}
        error={shown.baseUrl ?? null}
        inputMode="url"
        value={form.baseUrl}
        onChange={(baseUrl) => set({ baseUrl })}
      />
      <div className="grid gap-4 narrow:grid-cols-2">
        <TextField
          mono
          type="password"
          label="Key"
          autoComplete="new-password"
          hint={keyHint(keyNote, props.keychain)}
          value={form.apiKey}
          onChange={(apiKey) => set({ apiKey })}
        />
        <TextField
          mono
          label="Or the key’s environment variable"
          hint={envHint(form)}
          value={form.apiKeyEnv}
          onChange={(apiKeyEnv) => set({ apiKeyEnv })}
        />
      </div>
      <ModelRows models={form.models} problem={shown.models ?? null} onChange={(models) => set({ models })} />
      <HeaderRows headers={form.headers} problem={shown.headers ?? null} onChange={(headers) => set({ headers })} />
      {failure !== null && (
        <p role="alert" className="text-small text-danger">
          {failure}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={props.onCancel}>Cancel</Button>
        <Button kind="primary" type="submit">
          Save
        </Button>
      </div>
    </form>
  )
}

function urlHint(form: ProviderForm): string {
  return form.kind === 'openai-compatible'
    ? 'As the server writes it, /v1 included.'
    : 'Empty means the provider’s own address. Fill it in for a proxy.'
}

function keyHint(keyNote: string | null, keychain: boolean): string {
  if (keyNote !== null) return `${keyNote}. Leave empty to keep it as it is.`
  return keychain ? 'Goes to the system’s keychain.' : 'No keychain here: it goes to a private file in the home folder.'
}

function envHint(form: ProviderForm): string {
  const usual = usualKeyEnvNames({ kind: form.kind, ...(form.baseUrl === '' ? {} : { baseUrl: form.baseUrl }) })
  return usual.length === 0 ? 'Read when a request is made.' : `Empty means ${usual.join(' or ')}.`
}
