// Owns the two growing lists of the provider form: models with their limits, and headers.
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { TextField } from '../ui/text-field'
import type { HeaderLine, ModelLine } from './provider-form'

export interface ModelRowsProps {
  readonly models: readonly ModelLine[]
  readonly problem: string | null
  readonly onChange: (models: readonly ModelLine[]) => void
}

export function ModelRows({ models, problem, onChange }: ModelRowsProps) {
  const add = () => onChange([...models, { id: '', contextLimit: '', stored: null }])
  return (
    <Rows
      title="Models"
      hint="Known models are found by themselves. Add one that is not, or set its limit."
      problem={problem}
      addLabel="Add a model"
      onAdd={add}
    >
      {models.map((model, index) => (
        // Lines have no identity of their own while their id is being typed.
        <li key={index} className="flex items-end gap-2">
          <TextField
            mono
            label={`Model ${index + 1}`}
            labelHidden
            placeholder="Model id"
            value={model.id}
            onChange={(id) => onChange(models.with(index, { ...model, id }))}
            className="flex-1"
          />
          <TextField
            label={`Context limit of model ${index + 1}`}
            labelHidden
            placeholder="Limit, tokens"
            inputMode="numeric"
            value={model.contextLimit}
            onChange={(contextLimit) => onChange(models.with(index, { ...model, contextLimit }))}
            className="w-32"
          />
          <IconButton
            label={`Remove ${model.id || 'this model'}`}
            icon={<X size={14} />}
            onClick={() => onChange(models.toSpliced(index, 1))}
          />
        </li>
      ))}
    </Rows>
  )
}

export interface HeaderRowsProps {
  readonly headers: readonly HeaderLine[]
  readonly problem: string | null
  readonly onChange: (headers: readonly HeaderLine[]) => void
}

export function HeaderRows({ headers, problem, onChange }: HeaderRowsProps) {
  const add = () => onChange([...headers, { name: '', value: '', stored: false }])
  return (
    <Rows
      title="Headers"
      hint="Sent with each request. Stored values are not shown."
      problem={problem}
      addLabel="Add a header"
      onAdd={add}
    >
      {headers.map((header, index) => (
        <li key={index} className="flex items-end gap-2">
          <TextField
            mono
            label={`Name of header ${index + 1}`}
            labelHidden
            placeholder="Name"
            readOnly={header.stored}
            value={header.name}
            onChange={(name) => onChange(headers.with(index, { ...header, name }))}
            className="flex-1"
          />
          <TextField
            mono
            type="password"
            autoComplete="new-password"
            label={`Value of header ${index + 1}`}
            labelHidden
            placeholder={header.stored ? 'Unchanged' : 'Value'}
            value={header.value}
            onChange={(value) => onChange(headers.with(index, { ...header, value }))}
            className="flex-1"
          />
          <IconButton
            label={`Remove ${header.name || 'this header'}`}
            icon={<X size={14} />}
            onClick={() => onChange(headers.toSpliced(index, 1))}
          />
        </li>
      ))}
    </Rows>
  )
}

interface RowsProps {
  readonly title: string
  readonly hint: string
  readonly problem: string | null
  readonly addLabel: string
  readonly onAdd: () => void
  readonly children: ReactNode
}

function Rows({ title, hint, problem, addLabel, onAdd, children }: RowsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="text-small font-medium">{title}</legend>
      <p className="text-small text-quiet">{hint}</p>
      <ul className="flex flex-col gap-2">{children}</ul>
      {problem !== null && (
        <p role="alert" className="text-small text-danger">
          {problem}
        </p>
      )}
      <div>
        <Button small icon={<Plus size={13} />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
    </fieldset>
  )
}
