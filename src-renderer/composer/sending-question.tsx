// Owns the question before sending cuts rows: an edit that takes later windows with it, or `/clear`.
import { cancelAsking } from '../store/actions/draft-actions'
import { sendAgreed } from '../store/actions/send-written'
import { useApp } from '../store/app-context'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { useDraft } from './use-draft'

const WORDS = {
  edit: { title: 'Cut later windows', keep: 'Keep them', cut: 'Cut and send' },
  clear: { title: 'Clear this conversation', keep: 'Keep it', cut: 'Clear' }
}

export function SendingQuestion({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const question = useDraft(workspaceId, (draft) => draft.question)
  const words = useDraft(workspaceId, (draft) => (draft.editing === null ? WORDS.clear : WORDS.edit))
  return (
    <Dialog
      open={question !== null}
      onOpenChange={(open) => !open && cancelAsking(app, workspaceId)}
      title={words.title}
      description={question ?? ''}
      footer={
        <>
          <Button onClick={() => cancelAsking(app, workspaceId)}>{words.keep}</Button>
          <Button kind="danger" data-testid="confirm-cut" onClick={() => void sendAgreed(app, workspaceId)}>
            {words.cut}
          </Button>
        </>
      }
    />
  )
}
