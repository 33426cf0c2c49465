// Owns the large dialog: a place to look around in, as wide as the window lets it be. Its body lays itself out and scrolls
// in its own parts. Esc asks the body first, then closes; focus returns.
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button'
import { useReturnFocus } from './use-return-focus'

export interface WorkbenchDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly testId: string
  /** Beside the title: what the whole body follows. */
  readonly controls?: ReactNode
  /** True where Esc leads one step back instead of closing. */
  readonly onEscape: () => boolean
  readonly children: ReactNode
}

export function WorkbenchDialog(props: WorkbenchDialogProps) {
  const { open, onOpenChange, title, testId, controls, onEscape, children } = props
  const focus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Radix.Content
          {...focus}
          aria-describedby={undefined}
          data-testid={testId}
          onEscapeKeyDown={(event) => {
            if (onEscape()) event.preventDefault()
          }}
          className="fixed inset-0 z-40 m-auto flex size-full animate-appear flex-col overflow-hidden bg-overlay text-text shadow-overlay outline-none narrow:h-[calc(100dvh-48px)] narrow:max-h-240 narrow:w-[calc(100vw-48px)] narrow:max-w-300 narrow:rounded-large narrow:border narrow:border-line"
        >
          <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
            <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
            <div className="order-last flex min-w-0 basis-full items-center gap-2 narrow:order-none narrow:flex-1 narrow:basis-0">
              {controls}
            </div>
            <Radix.Close asChild>
              <IconButton className="ml-auto" label="Close" icon={<X size={16} />} tooltipSide="bottom" />
            </Radix.Close>
          </header>
          <div className="flex min-h-0 flex-1 flex-col">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
