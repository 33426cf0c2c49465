// Owns the select: one value out of a list, drawn as a field. Long lists belong into a menu with search.
import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cx } from './cx'
import { FIELD, MENU_ITEM, OVERLAY } from './surfaces'

export interface SelectOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly disabled?: boolean
}

export interface SelectProps<Value extends string> {
  /** Accessible name; the visible label stands beside it (see Field). */
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<SelectOption<Value>>
  readonly disabled?: boolean
  readonly id?: string
  readonly testId?: string
  readonly className?: string
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, onChange, options, disabled = false, id, testId, className } = props
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)} disabled={disabled}>
      <Radix.Trigger
        id={id}
        aria-label={label}
        data-testid={testId}
        className={cx(FIELD, 'inline-flex h-8 items-center justify-between gap-2 touch:h-11', className)}
      >
        <span className="truncate">
          <Radix.Value />
        </span>
        <ChevronDown size={14} className="shrink-0 text-quiet" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className={cx(
            OVERLAY,
            'max-h-[var(--radix-select-content-available-height)] min-w-[var(--radix-select-trigger-width)] p-1'
          )}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className={cx(MENU_ITEM, 'justify-between')}
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check size={14} className="text-accent" />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
