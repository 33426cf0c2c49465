// Owns a machine row (U-4): one collapsed line that Enter, Space or a click opens; its text wraps.
import { ChevronRight, Cog } from 'lucide-react'
import { memo, useId } from 'react'
import type { LineItem } from '@common/rows/display-items'
import { cx } from '../../ui/cx'
import { useDisclosure } from '../use-disclosure'
import { FileText, isFileText } from './file-text'
import { machineLabel, machinePreview, machineText } from './machine-texts'

export const MachineLine = memo(function MachineLine({ row, rowKind }: Pick<LineItem, 'row' | 'rowKind'>) {
  const [open, turn] = useDisclosure(`machine:${row.id}`)
  const textId = useId()
  const text = machineText(row, rowKind)
  return (
    <div
      data-row-id={row.id}
      data-kind={rowKind}
      {...(rowKind === 'context-budget-warning' ? { 'data-testid': 'budget-warning' } : {})}
      className="max-w-text text-machine"
    >
      <button
        type="button"
        data-testid="row-machine"
        aria-expanded={open}
        aria-controls={open ? textId : undefined}
        onClick={turn}
        className="-mx-1.5 flex h-6 max-w-full items-center gap-1.5 rounded-small px-1.5 text-left text-small transition-colors hover:bg-hover touch:h-11"
      >
        <ChevronRight size={12} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
        <Cog size={12} aria-hidden className="shrink-0" />
        <span className="shrink-0 font-medium">{machineLabel(row, rowKind)}</span>
        {!open && (
          <span dir="auto" className="min-w-0 truncate text-quiet">
            {machinePreview(row, rowKind)}
          </span>
        )}
      </button>
      {open && isFileText(rowKind) && <FileText id={textId} row={row} text={text} />}
      {open && !isFileText(rowKind) && (
        <p
          id={textId}
          dir="auto"
          className="mt-1 border-s-2 border-line ps-3 text-small whitespace-pre-wrap wrap-anywhere"
        >
          {text === '' ? 'This row has no text.' : text}
        </p>
      )}
    </div>
  )
})
