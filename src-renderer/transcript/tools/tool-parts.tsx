// Owns the small pieces that tool details share.
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx'

export function DetailBody({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-col gap-2 px-3 py-2">{children}</div>
}

export interface DetailNoteProps {
  readonly tone: 'quiet' | 'danger' | 'warn'
  readonly children: ReactNode
}

/** A sentence about the call: what went wrong, what was left out. */
export function DetailNote({ tone, children }: DetailNoteProps) {
  const tint = { quiet: 'text-quiet', danger: 'text-danger', warn: 'text-warn' }[tone]
  return (
    <p
      dir="auto"
      className={cx(
        'border-t border-line px-3 py-1.5 text-small whitespace-pre-wrap wrap-anywhere first:border-t-0',
        tint
      )}
    >
      {children}
    </p>
  )
}

/** Text as a machine wrote it: monospaced, wrapped, never wider than its box. */
export function MachineText({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return (
    <pre dir="ltr" className={cx('font-mono text-small whitespace-pre-wrap wrap-anywhere', className)}>
      {children}
    </pre>
  )
}

/** A command line as it was run, marked by its prompt. */
export function CommandText({ command }: { readonly command: string }) {
  return (
    <div className="flex gap-2">
      <span aria-hidden className="font-mono text-small text-quiet select-none">
        $
      </span>
      <MachineText className="min-w-0 flex-1">{command}</MachineText>
    </div>
  )
}
