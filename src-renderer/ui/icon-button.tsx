// Owns the button that is an icon alone: its label is its accessible name and its tooltip.
import { useId, useState } from 'react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx'
import { Tooltip } from './tooltip'
import type { TooltipSide } from './tooltip'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  /** What it does, as a verb: the accessible name and the tooltip. */
  readonly label: string
  readonly icon: ReactNode
  readonly shortcut?: string
  readonly small?: boolean
  readonly tooltipSide?: TooltipSide
  readonly ref?: Ref<HTMLButtonElement>
}

/** Somebody who only passes over a button wants no words. */
const POINTED_DELAY_MS = 500

/** The button while its tooltip is wanted, and how soon. */
interface Hint {
  readonly anchor: HTMLElement
  readonly delayMs: number
}

export function IconButton({
  label,
  icon,
  shortcut,
  small = false,
  tooltipSide = 'top',
  className,
  ...rest
}: IconButtonProps) {
  const [hint, setHint] = useState<Hint | null>(null)
  const id = useId()
  // Set here, so that the tooltip's effects run once.
  const [hide] = useState(() => () => setHint(null))
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-describedby={hint !== null && shortcut !== undefined ? id : undefined}
        {...rest}
        onPointerEnter={(event) => {
          rest.onPointerEnter?.(event)
          if (event.pointerType !== 'touch') setHint({ anchor: event.currentTarget, delayMs: POINTED_DELAY_MS })
        }}
        onPointerLeave={(event) => {
          rest.onPointerLeave?.(event)
          hide()
        }}
        onPointerDown={(event) => {
          rest.onPointerDown?.(event)
          hide()
        }}
        onFocus={(event) => {
          rest.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) setHint({ anchor: event.currentTarget, delayMs: 0 })
        }}
        onBlur={(event) => {
          rest.onBlur?.(event)
          hide()
        }}
        onKeyDown={(event) => {
          rest.onKeyDown?.(event)
          hide()
        }}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-regular text-quiet transition-colors hover:bg-hover hover:text-text',
          'disabled:cursor-default disabled:opacity-50 aria-pressed:text-accent touch:size-11',
          small ? 'size-6' : 'size-8',
          className
        )}
      >
        {icon}
      </button>
      {hint !== null && (
        <Tooltip id={id} label={label} shortcut={shortcut} side={tooltipSide} onHide={hide} {...hint} />
      )}
    </>
  )
}
