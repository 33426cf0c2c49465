// Owns the chips of what goes with the message: name, size or what is wrong, and a way to take it out.
import { FileText, X } from 'lucide-react'
import type { DraftAttachment } from '../store/draft-state'
import { cx } from '../ui/cx'
import { bytesText } from '../ui/format'
import { IconButton } from '../ui/icon-button'

export interface AttachmentChipsProps {
  readonly attachments: readonly DraftAttachment[]
  readonly onRemove: (id: string) => void
}

export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2 px-3 pt-3">
      {attachments.map((attachment) => (
        <Chip key={attachment.id} attachment={attachment} onRemove={() => onRemove(attachment.id)} />
      ))}
    </ul>
  )
}

function Chip({ attachment, onRemove }: { readonly attachment: DraftAttachment; readonly onRemove: () => void }) {
  const { filename, previewUrl, state } = attachment
  const failed = state.kind === 'failed'
  return (
    <li
      aria-busy={state.kind === 'adding'}
      className={cx(
        'flex max-w-full items-center gap-2 rounded-regular border py-1 pr-1 pl-1.5 text-small',
        failed ? 'border-danger bg-danger-surface' : 'border-line bg-raised'
      )}
    >
      {previewUrl === null ? (
        <FileText size={16} className="shrink-0 text-quiet" aria-hidden />
      ) : (
        <img src={previewUrl} alt="" className="size-6 shrink-0 rounded-small object-cover" />
      )}
      <span className="max-w-48 min-w-0 truncate">{filename}</span>
      <span role={failed ? 'alert' : undefined} className={cx('tabular-nums', failed ? 'text-danger' : 'text-quiet')}>
        {state.kind === 'ready' ? bytesText(attachment.bytes) : state.kind === 'adding' ? 'adding' : state.message}
      </span>
      <IconButton small label={`Remove ${filename}`} icon={<X size={14} />} onClick={onRemove} />
    </li>
  )
}
