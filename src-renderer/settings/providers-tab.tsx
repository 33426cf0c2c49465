// Owns the providers' tab: the list, the form over it, the tests that run.
import { useState } from 'react'
import type { ProviderView } from '@common/settings/provider-schema'
import { removeProvider, saveProvider, testProvider } from '../store/actions/provider-actions'
import { useApp, useAppState } from '../store/app-context'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Skeleton } from '../ui/view-states'
import { ProviderEditor } from './provider-editor'
import { formOf, inputOf, keySentence, newForm, type ProviderForm } from './provider-form'
import { ProviderList, type TestState } from './provider-list'

export function ProvidersTab() {
  const app = useApp()
  const providers = useAppState((state) => state.providers)
  const keychain = useAppState((state) => state.keychain)
  const [form, setForm] = useState<ProviderForm | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [tests, setTests] = useState<Readonly<Record<string, TestState>>>({})
  const [removing, setRemoving] = useState<ProviderView | null>(null)
  if (providers === null) return <Skeleton bars={[60, 80, 70]} label="Loading providers" />
  const takenIds = providers.map((provider) => provider.id)

  async function test(providerId: string): Promise<void> {
    setTests((known) => ({ ...known, [providerId]: { kind: 'testing' } }))
    const result = await testProvider(app, providerId)
    setTests((known) => ({ ...known, [providerId]: { kind: 'done', ...result } }))
  }
  async function save(edited: ProviderForm): Promise<void> {
    const failed = await saveProvider(app, inputOf(edited))
    setFailure(failed)
    if (failed !== null) return
    setForm(null)
    await test(edited.id)
  }
  if (form !== null) {
    const stored = providers.find((provider) => provider.id === form.id)
    return (
      <ProviderEditor
        form={form}
        takenIds={takenIds}
        keyNote={form.isNew || stored === undefined ? null : keySentence(stored)}
        keychain={keychain}
        failure={failure}
        onChange={setForm}
        onSave={() => void save(form)}
        onCancel={() => {
          setForm(null)
          setFailure(null)
        }}
      />
    )
  }
  return (
    <>
      <ProviderList
        providers={providers}
        tests={tests}
        onAdd={(template) => setForm(newForm(template, takenIds))}
        onEdit={(provider) => setForm(formOf(provider))}
        onTest={(providerId) => void test(providerId)}
        onRemove={setRemoving}
      />
      <Dialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={`Remove ${removing?.name ?? ''}`}
        description="Its address, models and stored key are forgotten. Workspaces that use its models keep their conversations."
        footer={
          <>
            <Button onClick={() => setRemoving(null)}>Cancel</Button>
            <Button
              kind="danger"
              onClick={() => {
                if (removing !== null) void removeProvider(app, removing.id)
                setRemoving(null)
              }}
            >
              Remove
            </Button>
          </>
        }
      />
    </>
  )
}
