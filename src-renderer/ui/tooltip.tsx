// Owns the tooltip: a few words on what a control does, and its shortcut. Never the only place of a fact. It exists
// only while it is wanted: a row on screen has several buttons, and most are never pointed at.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Kbd } from './kbd'

export type TooltipSide = 'top' | 'right' | 'bottom' | 'left'

export interface TooltipProps {
  readonly id: string
  readonly label: string
  /** Keys as a person reads them, such as `Ctrl+K`. */
  readonly shortcut?: string | undefined
  readonly side: TooltipSide
  /** The control that it belongs to. */
  readonly anchor: HTMLElement
  /** 0 shows it at once. */
  readonly delayMs: number
  /** The page moved under it, or the window lost the focus. */
  readonly onHide: () => void
}

/** Between the control and its tooltip, and between a tooltip and the window's edge. */
const GAP_PX = 6
const EDGE_PX = 8

export function Tooltip({ delayMs, onHide, ...bubble }: TooltipProps) {
  const [shown, setShown] = useState(delayMs === 0)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs)
    window.addEventListener('scroll', onHide, true)
    window.addEventListener('blur', onHide)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', onHide, true)
      window.removeEventListener('blur', onHide)
    }
  }, [delayMs, onHide])
  return shown ? createPortal(<Bubble {...bubble} />, document.body) : null
}

function Bubble({ id, label, shortcut, side, anchor }: Omit<TooltipProps, 'delayMs' | 'onHide'>) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const view = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = placeOf(anchor.getBoundingClientRect(), element.getBoundingClientRect(), side, view)
    element.style.left = `${left}px`
    element.style.top = `${top}px`
  }, [anchor, side, label])
  return (
    <div
      ref={ref}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-50 flex w-max max-w-72 items-center gap-2 rounded-regular bg-overlay px-2 py-1 text-micro text-text shadow-overlay"
    >
      {label}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </div>
  )
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Where a bubble stands: at the wanted side of the control, at the other one without room, inside of the window. */
export function placeOf(
  control: Box,
  bubble: Pick<Box, 'width' | 'height'>,
  side: TooltipSide,
  view: Pick<Box, 'width' | 'height'>
): Pick<Box, 'left' | 'top'> {
  const middle = {
    left: control.left + (control.width - bubble.width) / 2,
    top: control.top + (control.height - bubble.height) / 2
  }
  const before = { left: control.left - bubble.width - GAP_PX, top: control.top - bubble.height - GAP_PX }
  const after = { left: control.left + control.width + GAP_PX, top: control.top + control.height + GAP_PX }
  const isUpright = side === 'top' || side === 'bottom'
  const wanted = side === 'top' || side === 'left' ? before : after
  const other = wanted === before ? after : before
  const fits = isUpright
    ? wanted.top >= EDGE_PX && wanted.top + bubble.height <= view.height - EDGE_PX
    : wanted.left >= EDGE_PX && wanted.left + bubble.width <= view.width - EDGE_PX
  const { left, top } = fits ? wanted : other
  const inside = (at: number, size: number, room: number): number =>
    Math.max(EDGE_PX, Math.min(at, room - size - EDGE_PX))
  return {
    left: inside(isUpright ? middle.left : left, bubble.width, view.width),
    top: inside(isUpright ? top : middle.top, bubble.height, view.height)
  }
}
