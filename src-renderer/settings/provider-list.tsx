// Owns the list of providers: where each key comes from, whether it answers, and what can be done with it.
import { Plus } from 'lucide-react'
import type { ProviderView } from '@common/settings/provider-schema'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { Menu, MenuItem } from '../ui/menu'
import { keySentence, kindText, type ProviderTemplate } from './provider-form'
import { PROVIDER_TEMPLATES } from './provider-templates'

/** What *Test connection* said of a provider. */
export type TestState =
  | { readonly kind: 'testing' }
  | { readonly kind: 'done'; readonly works: boolean; readonly message: string }

export interface ProviderListProps {
  readonly providers: readonly ProviderView[]
  readonly tests: Readonly<Record<string, TestState>>
  readonly onAdd: (template: ProviderTemplate) => void
  readonly onEdit: (provider: ProviderView) => void
  readonly onTest: (providerId: string) => void
  readonly onRemove: (provider: ProviderView) => void
}

export function ProviderList({ providers, tests, onAdd, onEdit, onTest, onRemove }: ProviderListProps) {
  return (
    <div className="flex flex-col gap-3">
      <ul className="-mt-2.5 divide-y divide-line border-b border-line">
        {providers.map((provider) => (
          <li key={provider.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
            <div className="min-w-40 flex-1">
              <p className="text-body font-medium wrap-anywhere">
                {provider.name}
                {kindText(provider) !== '' && (
                  <span className="text-small font-normal text-quiet"> · {kindText(provider)}</span>
                )}
              </p>
              <p className={cx('text-small wrap-anywhere', provider.keySource === 'none' ? 'text-warn' : 'text-quiet')}>
                {keySentence(provider)}
                {provider.baseUrl !== null && ` · ${provider.baseUrl}`}
              </p>
              <TestResult test={tests[provider.id]} />
            </div>
            <div className="flex flex-wrap gap-1">
              <Button
                small
                disabled={tests[provider.id]?.kind === 'testing'}
                aria-label={`Test connection to ${provider.name}`}
                onClick={() => onTest(provider.id)}
              >
                Test connection
              </Button>
              {provider.kind !== 'demo' && (
                <Button small kind="quiet" aria-label={`Edit ${provider.name}`} onClick={() => onEdit(provider)}>
                  Edit
                </Button>
              )}
              {!provider.builtIn && (
                <Button small kind="quiet" aria-label={`Remove ${provider.name}`} onClick={() => onRemove(provider)}>
                  Remove
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <div>
        <Menu label="Add a provider" trigger={<Button icon={<Plus size={14} />}>Add a provider</Button>}>
          {PROVIDER_TEMPLATES.map((template) => (
            <MenuItem key={template.id} onSelect={() => onAdd(template)}>
              {template.label}
              {template.hint !== '' && <span className="text-quiet"> · {template.hint}</span>}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  )
}

function TestResult({ test }: { readonly test: TestState | undefined }) {
  return (
    <p
      role="status"
      className={cx(
        'text-small wrap-anywhere',
        test?.kind === 'done' && (test.works ? 'text-ok' : 'text-danger'),
        test?.kind === 'testing' && 'text-quiet'
      )}
    >
      {test?.kind === 'testing' && 'Waiting for an answer'}
      {test?.kind === 'done' && `${test.works ? '✓' : '✗'} ${test.message}`}
    </p>
  )
}
