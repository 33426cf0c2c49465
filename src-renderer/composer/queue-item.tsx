// Owns one queued input: its text, when it goes, and what can be done with it.
import { GripVertical, Paperclip, Pencil, Send, X } from 'lucide-react'
import { useState } from 'react'
import type { QueueEntry, QueueMode } from '@common/contract/views'
import { Button } from '../ui/button'
import { cx } from '../ui/cx'
import { IconButton } from '../ui/icon-button'
import { ChoicePicker } from './choice-picker'
import { QUEUE_MODES } from './composer-texts'
import { QueueEditor } from './queue-editor'

export interface QueueItemProps {
  readonly entry: QueueEntry
  readonly movable: boolean
  readonly dragged: boolean
  readonly onDragChange: (dragging: boolean) => void
  readonly onDropHere: () => void
  readonly onStep: (step: 1 | -1) => void
  readonly onEdit: (text: string) => Promise<boolean>
  readonly onMode: (mode: QueueMode) => void
  readonly onRemove: () => void
  readonly onSend: () => void
}

const MODES = [
  { value: 'tool-end' as const, label: QUEUE_MODES['tool-end'] },
  { value: 'turn-end' as const, label: QUEUE_MODES['turn-end'] }
]

export function QueueItem(props: QueueItemProps) {
  const { entry, movable, onRemove } = props
  const [editing, setEditing] = useState(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging is the pointer's way; the handle takes the keys
    <li
      data-testid="queue-entry"
      draggable={movable && !editing}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        props.onDragChange(true)
      }}
      onDragEnd={() => props.onDragChange(false)}
      onDragOver={(event) => !event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={props.onDropHere}
      className={cx(
        'flex flex-wrap items-center gap-x-1 p-1 text-small narrow:flex-nowrap',
        props.dragged && 'opacity-50'
      )}
    >
      {editing ? (
        <QueueEditor text={entry.text} onSave={props.onEdit} onClose={() => setEditing(false)} />
      ) : (
        <>
          <div className="flex min-w-0 basis-full items-center gap-1 narrow:flex-1 narrow:basis-0">
            {movable && <Handle entryId={entry.id} onStep={props.onStep} />}
            <QueueText entry={entry} />
          </div>
          <div className="ml-auto flex shrink-0 flex-wrap items-center justify-end">
            {entry.held ? (
              <Button small kind="secondary" icon={<Send size={12} />} onClick={props.onSend} className="mr-1">
                Send
              </Button>
            ) : (
              <ChoicePicker name="When to send" value={entry.mode} options={MODES} onChange={props.onMode} />
            )}
            <IconButton small label="Edit" icon={<Pencil size={13} />} onClick={() => setEditing(true)} />
            <IconButton small label="Remove" icon={<X size={14} />} onClick={onRemove} />
          </div>
        </>
      )}
    </li>
  )
}

function Handle({ entryId, onStep }: { readonly entryId: string; readonly onStep: (step: 1 | -1) => void }) {
  return (
    <button
      type="button"
      data-handle={entryId}
      aria-label="Move: press arrow up or arrow down"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        onStep(event.key === 'ArrowUp' ? -1 : 1)
      }}
      className="inline-flex h-6 w-5 shrink-0 cursor-grab items-center justify-center rounded-small text-quiet touch:size-11"
    >
      <GripVertical size={14} />
    </button>
  )
}

function QueueText({ entry }: { readonly entry: QueueEntry }) {
  return (
    <div className="min-w-0 flex-1 px-1">
      <p dir="auto" className="line-clamp-2 wrap-anywhere">
        {entry.text}
      </p>
      {(entry.held || entry.attachments.length > 0) && (
        <p className="flex items-center gap-1 text-micro text-quiet">
          {entry.attachments.length > 0 && (
            <>
              <Paperclip size={11} aria-hidden />
              {entry.attachments.map((attachment) => attachment.filename).join(', ')}
            </>
          )}
          {entry.held && 'came back after a restart'}
        </p>
      )}
    </div>
  )
}
