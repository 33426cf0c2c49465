// Owns renaming in place: Enter and leaving the field save, Esc keeps the old title.
import { useRef, useState } from 'react'
import { FIELD } from '../ui/surfaces'

export interface TitleEditorProps {
  readonly title: string
  readonly onSave: (title: string) => void
  readonly onClose: () => void
}

export function TitleEditor({ title, onSave, onClose }: TitleEditorProps) {
  const [value, setValue] = useState(title)
  const closed = useRef(false)
  const close = (save: boolean) => {
    if (closed.current) return
    closed.current = true
    const next = value.trim()
    if (save && next !== '' && next !== title) onSave(next)
    onClose()
  }
  return (
    <input
      aria-label="Title"
      value={value}
      maxLength={200}
      // Renaming begins in the field, with the whole title selected.
      ref={(field) => {
        if (field !== null && document.activeElement !== field) field.select()
      }}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') close(true)
        if (event.key === 'Escape') {
          event.preventDefault()
          close(false)
        }
      }}
      className={`${FIELD} h-7 touch:h-11`}
    />
  )
}
