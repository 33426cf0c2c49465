// Owns the queue of a workspace wired to its actions.
import type { QueueEntry } from '@common/contract/views'
import { editQueued, moveQueued, removeQueued, sendQueued, setQueuedMode } from '../store/actions/turn-actions'
import { useApp, useAppState } from '../store/app-context'
import { QueueList } from './queue-list'

const NONE: readonly QueueEntry[] = []

export function QueueContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const entries = useAppState((state) => state.sessions[workspaceId]?.queue ?? NONE)
  return (
    <QueueList
      entries={entries}
      onEdit={(entryId, text) => editQueued(app, workspaceId, entryId, text)}
      onMode={(entry, mode) => void setQueuedMode(app, workspaceId, entry, mode)}
      onRemove={(entryId) => void removeQueued(app, workspaceId, entryId)}
      onMove={(entryId, toIndex) => void moveQueued(app, workspaceId, entryId, toIndex)}
      onSend={(entryId) => void sendQueued(app, workspaceId, entryId)}
    />
  )
}
