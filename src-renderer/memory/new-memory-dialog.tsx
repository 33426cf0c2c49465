// Owns making a memory by hand: where it is seen, its name, its text.
import { useState } from 'react'
import { MEMORY_SCOPES, type MemoryScope } from '@common/memory/memory-schema'
import type { MemorySaved } from '../store/actions/memory-actions'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Segmented } from '../ui/segmented'
import { TextArea, TextField } from '../ui/text-field'
import { SCOPE_TEXTS } from './memory-texts'

export interface NewMemoryDialogProps {
  readonly onSave: (path: string, text: string) => Promise<MemorySaved>
  readonly onClose: () => void
}

export function NewMemoryDialog({ onSave, onClose }: NewMemoryDialogProps) {
  const [scope, setScope] = useState<MemoryScope>('project')
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<string | null>(null)

  async function save(): Promise<void> {
    const saved = await onSave(`/memories/${scope}/${withEnding(name.trim())}`, text)
    if (saved.kind === 'saved') onClose()
    else setFailure(saved.kind === 'failed' ? saved.message : 'A memory of this name is there already.')
  }

  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title="New memory"
      description="A short Markdown file on one topic. Pin it afterwards to give it to every new window."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={name.trim() === ''} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Segmented
          label="Where it is seen"
          value={scope}
          onChange={setScope}
          options={MEMORY_SCOPES.map((value) => ({ value, label: SCOPE_TEXTS[value].short }))}
        />
        <TextField
          label="Name"
          mono
          value={name}
          onChange={setName}
          error={failure}
          placeholder="testing.md"
          testId="memory-name"
        />
        <TextArea label="Text" mono rows={10} value={text} onChange={setText} testId="memory-text" />
      </div>
    </Dialog>
  )
}

/** Memories are Markdown: a name without an ending gets one. */
function withEnding(name: string): string {
  return /\.[a-z0-9]+$/iu.test(name) ? name : `${name}.md`
}
