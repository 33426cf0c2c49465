// Owns what stands above the oldest loaded row: that more is coming, or that it could not be read.
import { Button } from '../ui/button'

export interface OlderRowsProps {
  readonly hasOlder: boolean
  readonly state: 'idle' | 'loading' | 'failed'
  readonly onRetry: () => void
}

/** Stands in the list's upper padding, so it takes no room of its own and nothing moves. */
export function OlderRows({ hasOlder, state, onRetry }: OlderRowsProps) {
  if (!hasOlder) return null
  return (
    <div className="absolute inset-x-0 top-0 z-10 flex h-6 items-center justify-center text-micro text-quiet">
      {state === 'failed' ? (
        <Button small className="mt-2 bg-overlay" onClick={onRetry}>
          Older rows could not be read. Try again
        </Button>
      ) : (
        state === 'loading' && <span>Reading older rows</span>
      )}
    </div>
  )
}
