// Owns the sheet: a side panel over the page where there is no room beside it (375 px). A modal dialog in behaviour.
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx'
import { useReturnFocus } from './use-return-focus'

export interface SheetProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Accessible name. */
  readonly label: string
  readonly side: 'left' | 'right'
  readonly children: ReactNode
}

export function Sheet({ open, onOpenChange, label, side, children }: SheetProps) {
  const focus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade animate-appear" />
        <Radix.Content
          {...focus}
          aria-describedby={undefined}
          className={cx(
            'fixed inset-y-0 z-40 flex w-80 max-w-[calc(100vw-48px)] flex-col border-line bg-surface text-text shadow-overlay outline-none',
            side === 'left' ? 'left-0 border-r animate-slide-left' : 'right-0 border-l animate-slide-right'
          )}
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
