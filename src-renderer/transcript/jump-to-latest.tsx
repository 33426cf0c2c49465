// Owns the pill that leads back to the end: it says how much is new, or that something waits.
import { ArrowDown } from 'lucide-react'
import { countText } from '../ui/format'

export interface JumpToLatestProps {
  readonly newRows: number
  /** An approval or a question waits at the end. */
  readonly waiting: boolean
  readonly onJump: () => void
}

export function JumpToLatest({ newRows, waiting, onJump }: JumpToLatestProps) {
  return (
    <button
      type="button"
      data-testid="jump-to-latest"
      onClick={onJump}
      className="absolute bottom-4 left-1/2 z-10 flex h-8 -translate-x-1/2 items-center gap-2 rounded-full border border-line-strong bg-overlay px-3 text-small font-medium shadow-overlay transition-colors animate-appear hover:bg-hover touch:h-11"
    >
      <ArrowDown size={14} aria-hidden className={waiting ? 'text-warn' : 'text-accent'} />
      <span className="tabular-nums">{labelOf(newRows, waiting)}</span>
    </button>
  )
}

function labelOf(newRows: number, waiting: boolean): string {
  if (waiting) return 'Waits for you'
  return newRows === 0 ? 'Jump to latest' : countText(newRows, 'new row')
}
