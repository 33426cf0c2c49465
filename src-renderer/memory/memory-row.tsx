// Owns one memory in the panel's list: name, size and use, what became of it in this window, and its pin.
import { Pin } from 'lucide-react'
import type { MemoryView } from '@common/contract/memory-views'
import { cx } from '../ui/cx'
import { IconButton } from '../ui/icon-button'
import { memoryFacts, memoryName, memoryNote } from './memory-texts'

export interface MemoryRowProps {
  readonly memory: MemoryView
  readonly onOpen: () => void
  readonly onPin: (pinned: boolean) => void
}

export function MemoryRow({ memory, onOpen, onPin }: MemoryRowProps) {
  const { path, pinned, preloaded } = memory
  const name = memoryName(path)
  const note = memoryNote(memory)
  return (
    <li data-testid="memory-row" className="group/memory flex items-start gap-1 rounded-regular pr-1 hover:bg-hover">
      <button
        type="button"
        onClick={onOpen}
        className="flex min-w-0 flex-1 flex-col items-start rounded-regular px-2 py-1.5 text-left focus-visible:-outline-offset-2 touch:min-h-11"
      >
        <span className="max-w-full text-small font-medium wrap-anywhere">{name}</span>
        <span className="text-micro text-quiet tabular-nums">
          {memoryFacts(memory)}
          {preloaded && <span className="text-accent"> · preloaded</span>}
        </span>
        {note !== null && (
          <span className={cx('text-micro', memory.skipped === null ? 'text-quiet' : 'text-warn')}>{note}</span>
        )}
      </button>
      <IconButton
        small
        label={`${pinned ? 'Unpin' : 'Pin'} ${name}`}
        icon={<Pin size={14} {...(pinned ? { fill: 'currentColor' } : {})} />}
        onClick={() => onPin(!pinned)}
        // A pin that is set is a fact and always shown; one that could be set shows itself when it is near.
        className={cx(
          'mt-1.5',
          pinned
            ? 'text-accent'
            : 'opacity-0 group-focus-within/memory:opacity-100 group-hover/memory:opacity-100 touch:opacity-100'
        )}
      />
    </li>
  )
}
