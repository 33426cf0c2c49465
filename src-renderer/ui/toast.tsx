// Owns the toasts on screen: what happened, at most one action. They stay readable under pointer and focus;
// whoever owns the list of toasts also keeps it, so that a person can read them again.
import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button'
import { cx } from './cx'
import { IconButton } from './icon-button'

export interface ToastItem {
  readonly id: string
  readonly level: 'info' | 'warning' | 'error'
  readonly message: ReactNode
  readonly action?: { readonly label: string; readonly onSelect: () => void }
}

export interface ToastsProps {
  readonly toasts: readonly ToastItem[]
  readonly onDismiss: (id: string) => void
}

/** Long enough to read two lines; errors stay until dismissed. */
const READING_MS = 8_000
const EDGES: Record<ToastItem['level'], string> = {
  info: 'border-l-accent',
  warning: 'border-l-warn',
  error: 'border-l-danger'
}

export function Toasts({ toasts, onDismiss }: ToastsProps) {
  return (
    <Radix.Provider swipeDirection="right" label="Notice">
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.level === 'error' ? 'foreground' : 'background'}
          duration={toast.level === 'error' ? Infinity : READING_MS}
          onOpenChange={(open) => !open && onDismiss(toast.id)}
          className={cx(
            'flex items-start gap-2 rounded-regular border border-l-2 border-line bg-overlay py-2 pr-2 pl-3 shadow-overlay animate-appear',
            EDGES[toast.level]
          )}
        >
          <Radix.Description className="min-w-0 flex-1 py-1 text-small wrap-anywhere">
            {toast.message}
          </Radix.Description>
          {toast.action !== undefined && (
            <Radix.Action asChild altText={toast.action.label}>
              <Button small className="mt-0.5" onClick={toast.action.onSelect}>
                {toast.action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton small label="Dismiss" icon={<X size={14} />} className="mt-0.5" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed top-14 right-3 z-50 flex w-96 max-w-[calc(100vw-24px)] flex-col gap-2 outline-none" />
    </Radix.Provider>
  )
}
