// Owns the button that is an icon alone: its label is its accessible name and its tooltip.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx'
import { Tooltip } from './tooltip'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** What it does, as a verb: the accessible name and the tooltip. */
  readonly label: string
  readonly icon: ReactNode
  readonly shortcut?: string
  readonly small?: boolean
  readonly tooltipSide?: 'top' | 'right' | 'bottom' | 'left'
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, icon, shortcut, small = false, tooltipSide, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip
      label={label}
      {...(shortcut === undefined ? {} : { shortcut })}
      {...(tooltipSide === undefined ? {} : { side: tooltipSide })}
    >
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-regular text-quiet transition-colors hover:bg-hover hover:text-text',
          'disabled:cursor-default disabled:opacity-50 aria-pressed:text-accent touch:size-11',
          small ? 'size-6' : 'size-8',
          className
        )}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
