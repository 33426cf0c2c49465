// Owns the question before a workspace is deleted. It says where the workspace goes.
import type { WorkspaceView } from '@common/contract/views'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

export interface DeleteWorkspaceDialogProps {
  /** The workspace in question; null when nothing is asked. */
  readonly workspace: WorkspaceView | null
  readonly homePath: string
  readonly onCancel: () => void
  readonly onDelete: () => void
}

export function DeleteWorkspaceDialog({ workspace, homePath, onCancel, onDelete }: DeleteWorkspaceDialogProps) {
  return (
    <Dialog
      open={workspace !== null}
      onOpenChange={(open) => !open && onCancel()}
      title="Delete this workspace"
      description={`“${workspace?.title ?? ''}” goes to the system’s trash, or to ${homePath}/trash where there is none. The project’s files stay as they are.`}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="danger" onClick={onDelete}>
            Delete
          </Button>
        </>
      }
    />
  )
}
