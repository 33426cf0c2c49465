// Owns a message that was not sent (H-12, P-8): its words, the reason, and the way back into the composer.
import { CircleSlash2, Pencil } from 'lucide-react'
import { memo } from 'react'
import type { Row } from '@common/rows/row-schema'
import { Button } from '../../ui/button'
import { useTranscriptActions } from '../transcript-actions'
import { PersonText } from './person-row'
import { RowActions } from './row-actions'
import { notSentOf } from './not-sent-texts'

export const NotSentRow = memo(function NotSentRow({ row }: { readonly row: Row }) {
  const { onEditNotSent } = useTranscriptActions()
  const { text, attachments, reason } = notSentOf(row)
  return (
    <div data-testid="rejected-input" data-row-id={row.id} className="group/row flex items-start justify-end gap-2">
      <RowActions row={row} text={() => text} className="mt-1.5" />
      <div className="flex max-w-[85%] min-w-0 flex-col items-end gap-1.5">
        <div className="max-w-full rounded-large border border-dashed border-line-strong *:bg-transparent">
          <PersonText id={row.id} text={text === '' ? attachments.join(', ') : text} />
        </div>
        {text !== '' && attachments.length > 0 && <p className="text-small text-quiet">{attachments.join(', ')}</p>}
        <p dir="auto" className="max-w-full text-small wrap-anywhere">
          <CircleSlash2 size={14} aria-hidden className="mr-1.5 inline align-[-2px] text-warn" />
          <span className="font-medium text-warn">Not sent.</span> <span className="text-quiet">{reason}</span>
        </p>
        {onEditNotSent !== undefined && (
          <Button
            small
            data-testid="row-edit"
            icon={<Pencil size={12} aria-hidden />}
            onClick={() => onEditNotSent(row, text)}
          >
            Edit
          </Button>
        )}
      </div>
    </div>
  )
})
