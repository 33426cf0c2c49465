// Owns editing a queued text in place: Enter saves, Esc leaves it as it was. What was typed stays until saved.
import { useState } from 'react'
import { Button } from '../ui/button'
import { FIELD } from '../ui/surfaces'

export interface QueueEditorProps {
  readonly text: string
  /** True when main stored it. */
  readonly onSave: (text: string) => Promise<boolean>
  readonly onClose: () => void
}

export function QueueEditor({ text, onSave, onClose }: QueueEditorProps) {
  const [value, setValue] = useState(text)
  const save = async () => {
    if (value.trim() !== '' && (await onSave(value))) onClose()
  }
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-end gap-2 p-1">
      <textarea
        aria-label="Queued message"
        value={value}
        rows={Math.min(6, value.split('\n').length)}
        ref={(field) => field?.focus()}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.preventDefault()
            onClose()
          }
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void save()
          }
        }}
        className={`${FIELD} min-w-40 flex-1 resize-none py-1`}
      />
      <div className="flex gap-1">
        <Button small kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button small disabled={value.trim() === ''} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  )
}
