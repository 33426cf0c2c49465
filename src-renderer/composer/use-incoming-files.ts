// Owns files that come by paste and by drop. A long pasted text becomes a file too, since a row has limits (H-13).
import { MAX_PASTED_TEXT_BYTES } from '@common/constants'
import { useState, type ClipboardEvent, type DragEvent } from 'react'
import { attachFile } from '../store/actions/draft-actions'
import { useApp } from '../store/app-context'

/** Handlers for an element that takes dropped files, and whether files hover over it. */
export function useFileDrop(workspaceId: string | null) {
  const app = useApp()
  const [over, setOver] = useState(false)
  if (workspaceId === null) return { over: false, handlers: {} }
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(false)
        for (const file of event.dataTransfer.files) void attachFile(app, workspaceId, file)
      }
    }
  }
}

/** The paste handler of the field: files and long texts become chips, the rest stays text. */
export function useFilePaste(workspaceId: string) {
  const app = useApp()
  return (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length === 0 && new Blob([text]).size > MAX_PASTED_TEXT_BYTES)
      files.push(new File([text], 'pasted-text.txt', { type: 'text/plain' }))
    if (files.length === 0) return
    event.preventDefault()
    for (const file of files) void attachFile(app, workspaceId, file)
  }
}
