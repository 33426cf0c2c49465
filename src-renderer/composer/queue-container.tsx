// Owns the queue of a workspace wired to its actions.
import { useMemo } from 'react'
import type { QueueEntry } from '@common/contract/views'
import { editQueued, moveQueued, removeQueued, sendQueued, setQueuedMode } from '../store/actions/turn-actions'
import { useApp, useAppState } from '../store/app-context'
import { QueueList } from './queue-list'

const NONE: readonly QueueEntry[] = []

export function QueueContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const queue = useAppState((state) => state.sessions[workspaceId]?.queue ?? NONE)
  const entries = useMemo(() => queue.filter(({ source }) => source === 'person'), [queue])
  return (
    <QueueList
      entries={entries}
      goesOnByItself={entries.length < queue.length}
      onEdit={(entryId, text) => editQueued(app, workspaceId, entryId, text)}
      onMode={(entry, mode) => void setQueuedMode(app, workspaceId, entry, mode)}
      onRemove={(entryId) => void removeQueued(app, workspaceId, entryId)}
      onMove={(entryId, toIndex) => {
        // A place among the person's own entries is another one in the whole queue.
        const place = queue.findIndex(({ id }) => id === entries[toIndex]?.id)
        if (place !== -1) void moveQueued(app, workspaceId, entryId, place)
      }}
      onSend={(entryId) => void sendQueued(app, workspaceId, entryId)}
    />
  )
}
