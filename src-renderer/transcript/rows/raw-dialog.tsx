// Owns a row as it is on disk: its line of JSON, readable, to copy.
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { Button } from '../../ui/button'
import { CodeText } from '../../ui/code-text'
import { CopyButton } from '../../ui/copy-button'
import { Dialog } from '../../ui/dialog'
import { ScrollBox } from '../../ui/scroll-box'
import { ErrorState, Skeleton } from '../../ui/view-states'
import { useTranscriptActions } from '../transcript-actions'

type Reading =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly json: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface RawDialogProps {
  readonly rowId: string
  readonly returnTo: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

export function RawDialog({ rowId, returnTo, onClose }: RawDialogProps) {
  const { onReadRaw } = useTranscriptActions()
  const [reading, setReading] = useState<Reading>({ kind: 'reading' })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let wanted = true
    void onReadRaw(rowId).then((answer) => {
      if (!wanted) return
      setReading(
        answer.ok
          ? { kind: 'read', json: pretty(answer.value.json) }
          : { kind: 'failed', message: answer.error.message }
      )
    })
    return () => {
      wanted = false
    }
  }, [rowId, onReadRaw, attempt])
  const retry = () => {
    setReading({ kind: 'reading' })
    setAttempt(attempt + 1)
  }
  return (
    <Dialog
      open
      wide
      returnTo={returnTo}
      onOpenChange={(open) => !open && onClose()}
      title="Raw row"
      description="As it is stored in the history."
    >
      {reading.kind === 'reading' && <Skeleton bars={[30, 80, 65, 90, 40]} />}
      {reading.kind === 'failed' && (
        <ErrorState message={reading.message} action={<Button onClick={retry}>Read again</Button>} />
      )}
      {reading.kind === 'read' && (
        <div className="relative overflow-hidden rounded-regular border border-line bg-sunken">
          <CopyButton text={() => reading.json} label="Copy JSON" className="absolute top-1 right-1 z-10 bg-sunken" />
          <ScrollBox label="JSON" className="max-h-[56vh] p-3">
            <pre dir="ltr" className="pr-8 font-mono text-small whitespace-pre-wrap wrap-anywhere">
              <CodeText code={reading.json} language="json" settled />
            </pre>
          </ScrollBox>
        </div>
      )}
    </Dialog>
  )
}

/** Indented when it parses; a damaged line is shown as it is. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return json
    throw error
  }
}
