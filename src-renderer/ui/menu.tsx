// Owns the drop-down menu: items are verbs, the shortcut stands at the end, danger is said in colour and in words.
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx'
import { Kbd } from './kbd'
import { MENU_ITEM, OVERLAY } from './surfaces'

export interface MenuProps {
  readonly trigger: ReactElement
  readonly label: string
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Called once it is closed; prevent the event where the focus shall not go back to the trigger. */
  readonly onClosed?: (event: Event) => void
  readonly children: ReactNode
}

export function Menu({ trigger, label, align = 'start', side = 'bottom', onClosed, children, ...root }: MenuProps) {
  return (
    <Radix.Root {...root}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          {...(onClosed === undefined ? {} : { onCloseAutoFocus: onClosed })}
          className={cx(
            OVERLAY,
            'max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 overflow-auto p-1'
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface MenuItemProps {
  readonly icon?: ReactNode
  readonly shortcut?: string
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Stable hook for automation. */
  readonly testId?: string
  readonly onSelect: () => void
  readonly children: ReactNode
}

export function MenuItem({
  icon,
  shortcut,
  danger = false,
  disabled = false,
  testId,
  onSelect,
  children
}: MenuItemProps) {
  return (
    <Radix.Item
      className={cx(MENU_ITEM, danger && 'text-danger')}
      disabled={disabled}
      data-testid={testId}
      onSelect={onSelect}
    >
      {icon}
      <span className="flex-1">{children}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Radix.Item>
  )
}

export interface MenuChoiceProps<Value extends string> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly hint?: string }>
}

/** One of several, the chosen one marked. */
export function MenuChoice<Value extends string>({ value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={MENU_ITEM}>
          <span className="w-3 text-accent">
            <Radix.ItemIndicator>✓</Radix.ItemIndicator>
          </span>
          <span className="flex-1">{option.label}</span>
          {option.hint !== undefined && <span className="text-micro text-quiet">{option.hint}</span>}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-micro text-quiet">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
