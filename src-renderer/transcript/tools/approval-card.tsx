// Owns an approval: exactly what will run or change, why it is asked, and the three answers.
// Takes no focus by itself: the person may be typing. Order for the keyboard: subject, allow, deny.
import { useId, useState } from 'react'
import type { FormEvent } from 'react'
import type { ApprovalAnswer, ApprovalRequest } from '@common/tools/approval'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/text-field'
import { useTranscriptActions } from '../transcript-actions'
import { ApprovalSubjectView } from './approval-subject'

export function ApprovalCard({ approval }: { readonly approval: ApprovalRequest }) {
  const { onApproval } = useTranscriptActions()
  const [message, setMessage] = useState('')
  const [sent, setSent] = useState(false)
  const reasonId = useId()
  const answer = (value: ApprovalAnswer) => {
    setSent(true)
    onApproval(approval.approvalId, value)
  }
  const deny = (event: FormEvent) => {
    event.preventDefault()
    answer({ decision: 'deny', message: message.trim() === '' ? null : message.trim() })
  }
  return (
    <form onSubmit={deny} aria-label="Approval" aria-describedby={reasonId} className="flex flex-col gap-3 p-3">
      <p id={reasonId} dir="auto" className="text-small wrap-anywhere">
        {approval.reason}
      </p>
      <ApprovalSubjectView subject={approval.subject} />
      <div className="flex flex-wrap items-start gap-2">
        <Button
          kind="primary"
          disabled={sent}
          data-testid="approval-allow"
          onClick={() => answer({ decision: 'once' })}
        >
          Allow once
        </Button>
        {approval.workspaceGrant !== null && (
          <Button disabled={sent} title={approval.workspaceGrant} onClick={() => answer({ decision: 'workspace' })}>
            Allow for this workspace
          </Button>
        )}
        <div className="flex min-w-56 flex-1 items-start gap-2">
          <TextField
            label="Message to the agent when denied"
            labelHidden
            placeholder="Why not, or what instead (optional)"
            value={message}
            onChange={setMessage}
            disabled={sent}
            maxLength={4_000}
            dir="auto"
            className="flex-1"
          />
          <Button kind="danger" type="submit" disabled={sent} data-testid="approval-deny">
            Deny
          </Button>
        </div>
      </div>
      {approval.workspaceGrant !== null && (
        <p dir="auto" className="text-micro text-quiet wrap-anywhere">
          For this workspace: {approval.workspaceGrant}
        </p>
      )}
    </form>
  )
}
