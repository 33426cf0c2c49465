// Owns the one text button. Its label is a verb; the kind says how much it weighs.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx'

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  /** 24 px high instead of 32; both grow to 44 px under a finger. */
  readonly small?: boolean
  readonly icon?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-accent-fill text-on-accent hover:bg-accent-fill-hover',
  secondary: 'border border-line bg-surface text-text hover:bg-hover',
  quiet: 'text-quiet hover:bg-hover hover:text-text',
  danger: 'border border-line bg-surface text-danger hover:bg-danger-surface'
}

export function Button({ kind = 'secondary', small = false, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-regular text-small font-medium whitespace-nowrap transition-colors',
        'disabled:cursor-default disabled:opacity-50 touch:min-h-11 touch:min-w-11',
        small ? 'h-6 px-2' : 'h-8 px-3',
        KINDS[kind],
        className
      )}
    >
      {icon}
      {children}
    </button>
  )
}
