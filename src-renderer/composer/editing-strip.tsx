// Owns the strip over the field while an earlier message is edited: what sending cuts, and the way out.
import { Pencil } from 'lucide-react'
import { cancelEditing } from '../store/actions/row-actions'
import { useApp } from '../store/app-context'
import { Button } from '../ui/button'
import { cutText } from './editing-texts'
import { useDraft } from './use-draft'

export function EditingStrip({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const editing = useDraft(workspaceId, (draft) => draft.editing)
  if (editing === null) return null
  return (
    <div
      role="status"
      data-testid="editing-row"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-regular border-l-2 border-l-accent bg-accent-surface py-1.5 pr-2 pl-3"
    >
      <Pencil size={13} aria-hidden className="shrink-0 text-accent" />
      <p className="min-w-48 flex-1 text-small">{cutText(editing.cut)}</p>
      <Button small onClick={() => cancelEditing(app, workspaceId)}>
        Cancel
      </Button>
    </div>
  )
}
