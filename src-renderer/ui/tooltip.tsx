// Owns the tooltip: a few words on what a control does, and its shortcut. Never the only place of a fact.
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'
import { Kbd } from './kbd'

export interface TooltipProps {
  readonly label: string
  /** Keys as a person reads them, such as `Ctrl+K`. */
  readonly shortcut?: string
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** One focusable element. */
  readonly children: ReactElement
}

export function Tooltip({ label, shortcut, side = 'top', children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={500}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 flex max-w-72 items-center gap-2 rounded-regular bg-overlay px-2 py-1 text-micro text-text shadow-overlay"
          >
            {label}
            {shortcut !== undefined && <Kbd keys={shortcut} />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
