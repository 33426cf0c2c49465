// Owns a box whose content may be wider than it: it scrolls in itself, and takes the keyboard only then.
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { cx } from './cx'

export interface ScrollBoxProps {
  /** Accessible name, used while it scrolls. */
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const measure = () => setScrolls(box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    if (box.firstElementChild !== null) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={ref}
      {...(scrolls ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}
      className={cx('max-w-full overflow-auto overscroll-x-contain focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  )
}
