// Owns what stands beyond the rows in memory, at either end: that more is coming, or that it could not be read.
import { Button } from '../ui/button'
import { cx } from '../ui/cx'

export interface PageEdgeProps {
  readonly rows: 'older' | 'newer'
  readonly state: 'idle' | 'loading' | 'failed'
  readonly onRetry: () => void
}

/** Stands in the list's padding, so it takes no room of its own and nothing moves. */
export function PageEdge({ rows, state, onRetry }: PageEdgeProps) {
  return (
    <div
      className={cx(
        'absolute inset-x-0 z-10 flex h-6 items-center justify-center text-micro text-quiet',
        rows === 'older' ? 'top-0' : 'bottom-0'
      )}
    >
      {state === 'failed' ? (
        <Button small className={cx('bg-overlay', rows === 'older' ? 'mt-2' : 'mb-2')} onClick={onRetry}>
          {rows === 'older' ? 'Older' : 'Newer'} rows could not be read. Try again
        </Button>
      ) : (
        state === 'loading' && <span>Reading {rows} rows</span>
      )}
    </div>
  )
}
