// Owns the list of queued inputs above the field: order, mode, what came back after a restart. Order changes
// by dragging and by arrow keys on the handle; the focus follows the entry.
import { useEffect, useRef, useState } from 'react'
import type { QueueEntry, QueueMode } from '@common/contract/views'
import { QueueItem } from './queue-item'

export interface QueueListProps {
  /** Those of the person. */
  readonly entries: readonly QueueEntry[]
  /** The app has queued something of its own: nothing that can be edited. */
  readonly goesOnByItself: boolean
  readonly onEdit: (entryId: string, text: string) => Promise<boolean>
  readonly onMode: (entry: QueueEntry, mode: QueueMode) => void
  readonly onRemove: (entryId: string) => void
  readonly onMove: (entryId: string, toIndex: number) => void
  readonly onSend: (entryId: string) => void
}

export function QueueList({ entries, goesOnByItself, onEdit, onMode, onRemove, onMove, onSend }: QueueListProps) {
  const [draggedId, setDraggedId] = useState<string | null>(null)
  const [announced, setAnnounced] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<string | null>(null)
  useEffect(() => {
    if (moved.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(moved.current)}"]`)?.focus()
    moved.current = null
  }, [entries])
  const own = goesOnByItself && (
    <p data-testid="queue-machine" className="px-1 text-micro text-quiet">
      The work goes on by itself after this step.
    </p>
  )
  if (entries.length === 0) return own

  function move(entry: QueueEntry, toIndex: number): void {
    if (toIndex < 0 || toIndex >= entries.length) return
    moved.current = entry.id
    setAnnounced(`Moved to place ${toIndex + 1} of ${entries.length}`)
    onMove(entry.id, toIndex)
  }
  return (
    <div>
      <p className="px-1 pb-1 text-micro text-quiet">
        {entries.some((entry) => !entry.held) ? 'Queued' : 'Not sent yet'}
      </p>
      <ol
        ref={list}
        aria-label="Queued messages"
        className="max-h-[24vh] divide-y divide-line overflow-y-auto rounded-regular border border-line bg-surface"
      >
        {entries.map((entry, index) => (
          <QueueItem
            key={entry.id}
            entry={entry}
            movable={entries.length > 1}
            dragged={draggedId === entry.id}
            onDragChange={(dragging) => setDraggedId(dragging ? entry.id : null)}
            onDropHere={() => {
              if (draggedId !== null && draggedId !== entry.id) onMove(draggedId, index)
              setDraggedId(null)
            }}
            onStep={(step) => move(entry, index + step)}
            onEdit={(text) => onEdit(entry.id, text)}
            onMode={(mode) => onMode(entry, mode)}
            onRemove={() => onRemove(entry.id)}
            onSend={() => onSend(entry.id)}
          />
        ))}
      </ol>
      {own}
      <p role="status" className="sr-only">
        {announced}
      </p>
    </div>
  )
}
