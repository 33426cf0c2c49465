// Owns the popover: a small panel at its trigger; Esc and a click outside close it.
import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx'
import { OVERLAY } from './surfaces'

export interface PopoverProps {
  /** One focusable element. */
  readonly trigger: ReactElement
  /** Accessible name of the panel. */
  readonly label: string
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  readonly align?: 'start' | 'center' | 'end'
  readonly className?: string
  readonly children: ReactNode
}

export function Popover({
  trigger,
  label,
  side = 'bottom',
  align = 'start',
  className,
  children,
  ...root
}: PopoverProps) {
  return (
    <Radix.Root {...root}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(
            OVERLAY,
            'max-h-[var(--radix-popover-content-available-height)] max-w-[calc(100vw-16px)] overflow-auto p-3 outline-none',
            className
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
