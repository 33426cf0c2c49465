// Owns the text that a compaction carried over: folded, since it repeats what stands above.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx'
import { useDisclosure } from '../use-disclosure'

export function SummaryFold({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [open, turn] = useDisclosure(`summary:${id}`)
  return (
    <div className="rounded-regular border border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={turn}
        className="flex h-8 w-full items-center gap-2 rounded-regular px-2.5 text-small text-quiet transition-colors hover:bg-hover touch:h-11"
      >
        <ChevronRight size={12} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
        Summary that this window starts from
      </button>
      {open && <div className="flex flex-col gap-2 border-t border-line px-3 py-2">{children}</div>}
    </div>
  )
}
