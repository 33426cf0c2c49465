// Owns the switch: on or off, at once. The whole line is its label; the hint says what it does.
import { Switch as Radix } from 'radix-ui'
import { useId } from 'react'
import type { ReactNode } from 'react'

export interface SwitchProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly testId?: string
}

export function Switch({ label, hint, checked, onChange, disabled = false, testId }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3 touch:min-h-11">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block text-body">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-small text-quiet">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        data-testid={testId}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-strong bg-sunken px-0.5 transition-colors disabled:opacity-50 data-[state=checked]:border-accent-fill data-[state=checked]:bg-accent-fill"
      >
        <Radix.Thumb className="size-3 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  )
}
