// Owns the small pickers beside the model: agent, thinking, approvals. One quiet button, one menu.
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { Menu, MenuChoice } from '../ui/menu'

export interface ChoicePickerProps<Value extends string> {
  /** What is chosen here, such as `Agent`. */
  readonly name: string
  readonly value: Value
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly hint?: string }>
  readonly onChange: (value: Value) => void
  readonly icon?: ReactNode
  readonly testId?: string
  /** Where something else opens it, too. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}

export function ChoicePicker<Value extends string>(props: ChoicePickerProps<Value>) {
  const { name, value, options, onChange, icon, testId, open, onOpenChange } = props
  const label = options.find((option) => option.value === value)?.label ?? value
  return (
    <Menu
      label={name}
      side="top"
      {...(open === undefined || onOpenChange === undefined ? {} : { open, onOpenChange })}
      trigger={
        <Button
          kind="quiet"
          small
          {...(icon === undefined ? {} : { icon: <span className="hidden narrow:inline">{icon}</span> })}
          data-testid={testId}
          aria-label={`${name}: ${label}`}
          className="min-w-0 shrink"
        >
          <span className="min-w-0 truncate">{label}</span>
          <ChevronDown size={12} className="shrink-0" />
        </Button>
      }
    >
      <MenuChoice value={value} onChange={onChange} options={options} />
    </Menu>
  )
}
