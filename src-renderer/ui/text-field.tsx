// Owns the labelled text inputs: label above, hint or error below, joined for screen readers.
import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from 'react'
import { cx } from './cx'
import { FIELD } from './surfaces'

interface FieldTexts {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong and what to do; marks the field as invalid. */
  readonly error?: string | null
  /** Keeps the label for screen readers only. */
  readonly labelHidden?: boolean
}

export interface FieldProps extends FieldTexts {
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Label, control and note of any control that has the id. */
export function Field({ id, label, hint, error, labelHidden = false, className, children }: FieldProps) {
  const note = error ?? hint
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-small font-medium'}>
        {label}
      </label>
      {children}
      {note !== undefined && note !== null && (
        <p id={`${id}-note`} className={cx('text-small', error ? 'text-danger' : 'text-quiet')}>
          {note}
        </p>
      )}
    </div>
  )
}

export interface TextFieldProps extends FieldTexts, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly testId?: string
  readonly mono?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, labelHidden, onChange, testId, mono = false, className, id, ...rest } = props
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <Field id={fieldId} {...textsOf({ label, hint, error, labelHidden })} className={className}>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={fieldId}
        data-testid={testId}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint !== undefined || error ? `${fieldId}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={cx(FIELD, 'h-8 touch:h-11', mono && 'font-mono')}
      />
    </Field>
  )
}

export interface TextAreaProps extends FieldTexts, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly testId?: string
  readonly mono?: boolean
  readonly ref?: Ref<HTMLTextAreaElement>
}

export function TextArea(props: TextAreaProps) {
  const { label, hint, error, labelHidden, onChange, testId, mono = false, className, id, ...rest } = props
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <Field id={fieldId} {...textsOf({ label, hint, error, labelHidden })} className={className}>
      <textarea
        rows={3}
        {...rest}
        id={fieldId}
        data-testid={testId}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint !== undefined || error ? `${fieldId}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={cx(FIELD, 'resize-y py-1.5', mono && 'font-mono')}
      />
    </Field>
  )
}

function textsOf(texts: {
  label: string
  hint: ReactNode | undefined
  error: string | null | undefined
  labelHidden: boolean | undefined
}): FieldTexts {
  return {
    label: texts.label,
    ...(texts.hint === undefined ? {} : { hint: texts.hint }),
    ...(texts.error === undefined ? {} : { error: texts.error }),
    ...(texts.labelHidden === undefined ? {} : { labelHidden: texts.labelHidden })
  }
}
