// Owns the transcript wired to the state.
import { useAppState } from '../store/app-context'

export function TranscriptContainer({ workspaceId }: { readonly workspaceId: string }) {
  const rows = useAppState((state) => state.sessions[workspaceId]?.history.rows)
  return (
    <div data-testid="transcript" className="flex-1 overflow-y-auto p-4">
      {rows?.map((row) => (
        <p key={row.id}>{JSON.stringify(row.parts)}</p>
      ))}
    </div>
  )
}
