// Owns the place of an item in the virtual list: its measured box, its column, its piece of the rail.
// The virtualizer writes the position; nothing here may set it.
import { memo } from 'react'
import { cx } from '../ui/cx'
import { itemLabel } from './item-labels'
import { ItemView } from './item-view'
import type { ItemViewProps } from './item-view'

export interface VirtualRowProps extends ItemViewProps {
  readonly index: number
  /** Space below, in pixels; part of the row's height. */
  readonly gapPx: number
  readonly sealed: boolean
  /** The one row that the Tab key stops at. */
  readonly current: boolean
  /** A jump went here. */
  readonly found: boolean
  readonly measure: (node: HTMLElement | null) => void
}

export const VirtualRow = memo(function VirtualRow({
  index,
  gapPx,
  sealed,
  current,
  found,
  measure,
  ...view
}: VirtualRowProps) {
  const { item } = view
  return (
    <article
      ref={measure}
      data-index={index}
      data-found={found || undefined}
      aria-label={itemLabel(item)}
      aria-busy={(item.kind === 'assistant' && item.live) || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- rows take the focus as in a feed (WAI-ARIA practices)
      tabIndex={current ? 0 : -1}
      style={{ paddingBottom: gapPx }}
      className={cx('transcript-row', sealed && 'transcript-sealed', item.kind === 'divider' && 'transcript-tide')}
    >
      <div className="mx-auto max-w-card">
        <ItemView {...view} />
      </div>
    </article>
  )
})
