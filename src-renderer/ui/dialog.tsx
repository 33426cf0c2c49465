// Owns the modal dialog: title, one-sentence description, body, buttons at the end. Esc closes; focus returns.
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx'
import { IconButton } from './icon-button'
import { useReturnFocus } from './use-return-focus'
import { ScrollBox } from './scroll-box'

export interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** One sentence under the title. */
  readonly description?: string
  /** Buttons; the main one last. */
  readonly footer?: ReactNode
  /** A reading width instead of the narrow form width. */
  readonly wide?: boolean
  /** What gets the focus after closing, when what opened the dialog is gone by then (a menu item). */
  readonly returnTo?: RefObject<HTMLElement | null>
  readonly children?: ReactNode
}

export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, footer, wide = false, returnTo, children } = props
  const focus = useReturnFocus(returnTo)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade animate-appear" />
        <Radix.Content
          {...focus}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={cx(
            'fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col rounded-large border border-line bg-overlay text-text shadow-overlay outline-none animate-appear',
            wide ? 'max-w-180' : 'max-w-110'
          )}
        >
          <header className="flex items-start gap-3 px-4 pt-3 pb-2">
            <div className="min-w-0 flex-1 pt-1">
              <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-small text-quiet">{description}</Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" icon={<X size={16} />} />
            </Radix.Close>
          </header>
          <ScrollBox label={title} className="min-h-0 flex-1 px-4 pb-4">
            {children}
          </ScrollBox>
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
