// Owns the box of a summary: some lines of it, the rest on demand. While it is written the box shows its end, and it
// is as high before and after the last word.
import { ScrollText } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button'
import { cx } from '../../ui/cx'
import { useDisclosure } from '../use-disclosure'

/** Above and below the text, together. */
const PADDING_PX = 16

export interface SummaryFoldProps {
  readonly id: string
  /** It is being written. */
  readonly live: boolean
  readonly children: ReactNode
}

export function SummaryFold({ id, live, children }: SummaryFoldProps) {
  const [open, turn] = useDisclosure(`summary:${id}`)
  const { box, overflows } = useOverflow()
  const cut = !open && overflows
  return (
    <div data-testid="summary" className="rounded-regular border border-line">
      <div className="flex h-8 items-center gap-2 pr-1 pl-2.5 text-small text-quiet touch:h-11">
        <ScrollText size={13} aria-hidden className="shrink-0" />
        <span className="min-w-0 truncate">{live ? 'Summary so far' : 'This window starts from a summary'}</span>
        {(overflows || open) && (
          <Button kind="quiet" small aria-expanded={open} onClick={turn} className="ml-auto">
            {open ? 'Show less' : 'Show all'}
          </Button>
        )}
      </div>
      <div
        ref={box}
        // What takes the focus must be seen: the cut part cannot be scrolled to.
        onFocus={() => cut && turn()}
        className={cx(
          'flex flex-col border-t border-line px-3 py-2',
          !open && 'max-h-44 overflow-clip',
          cut && (live ? 'summary-cut-above justify-end' : 'summary-cut-below')
        )}
      >
        <div className="flex shrink-0 flex-col gap-2">{children}</div>
      </div>
    </div>
  )
}

/** Whether what is in the box is higher than the box. */
function useOverflow() {
  const box = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  useLayoutEffect(() => {
    const outer = box.current
    const content = outer?.firstElementChild
    if (outer === null || !(content instanceof HTMLElement)) return
    const measure = () => setOverflows(content.offsetHeight + PADDING_PX > outer.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(content)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [])
  return { box, overflows }
}
