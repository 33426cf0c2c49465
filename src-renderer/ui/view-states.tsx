// Owns the states that every view has besides its content: nothing yet, loading, went wrong.
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { cx } from './cx'

export interface EmptyStateProps {
  /** One plain sentence. */
  readonly title: string
  readonly children?: ReactNode
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <p className="max-w-100 text-body text-quiet">{title}</p>
      {children}
    </div>
  )
}

export interface ErrorStateProps {
  /** What happened, to what, what to do. */
  readonly message: string
  readonly action?: ReactNode
}

export function ErrorState({ message, action }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-regular bg-danger-surface px-3 py-2">
      <p className="min-w-0 flex-1 text-small wrap-anywhere text-text">{message}</p>
      {action}
    </div>
  )
}

/** A wait shorter than this shows nothing: a skeleton that flashes is worse than none. */
const SKELETON_DELAY_MS = 150

export interface SkeletonProps {
  /** Widths of its bars, in per cent of the view. */
  readonly bars: readonly number[]
  readonly label?: string
  readonly className?: string
}

export function Skeleton({ bars, label = 'Loading', className }: SkeletonProps) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output aria-label={label} className={cx('flex flex-col gap-3', className)}>
      {shown &&
        bars.map((width, index) => (
          <div key={index} className="h-3.5 rounded-small bg-raised" style={{ width: `${width}%` }} />
        ))}
    </output>
  )
}
