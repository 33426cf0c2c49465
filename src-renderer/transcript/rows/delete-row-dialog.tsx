// Owns the question before a row is deleted. It says where the row is kept.
import type { RefObject } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

export interface DeleteRowDialogProps {
  readonly returnTo: RefObject<HTMLElement | null>
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function DeleteRowDialog({ returnTo, onDelete, onClose }: DeleteRowDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete this message"
      description="The agent no longer sees it. It is kept in cut-rows.jsonl of this workspace; what stands around it stays."
      returnTo={returnTo}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              onDelete()
            }}
          >
            Delete
          </Button>
        </>
      }
    />
  )
}
