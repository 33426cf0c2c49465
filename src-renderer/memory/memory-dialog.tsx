// Owns one opened memory: read as Markdown, changed as text. Another's change meanwhile is told, never written over
// without a word. Mount it anew for each memory.
import { useState } from 'react'
import type { MemoryContent, MemoryView } from '@common/contract/memory-views'
import type { MemorySaved } from '../store/actions/memory-actions'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Markdown } from '../ui/markdown/markdown'
import { Segmented } from '../ui/segmented'
import { TextArea } from '../ui/text-field'
import { ErrorState, Skeleton } from '../ui/view-states'
import { memoryFacts, memoryName, SCOPE_TEXTS } from './memory-texts'

export interface MemoryDialogProps {
  readonly memory: MemoryView
  /** Null while it loads. */
  readonly content: MemoryContent | null
  readonly problem: string | null
  readonly onSave: (text: string, version: string) => Promise<MemorySaved>
  readonly onContent: (content: MemoryContent) => void
  readonly onPin: (pinned: boolean) => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

const MODES = [
  { value: 'read', label: 'Read' },
  { value: 'edit', label: 'Edit' }
] as const

export function MemoryDialog(props: MemoryDialogProps) {
  const { memory, content, problem, onSave, onContent, onPin, onDelete, onClose } = props
  const [mode, setMode] = useState<'read' | 'edit'>('read')
  /** Null until something was typed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [present, setPresent] = useState<MemoryContent | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const text = typed ?? content?.text ?? ''
  const changed = content !== null && text !== content.text

  async function save(version: string): Promise<void> {
    setSaving(true)
    const saved = await onSave(text, version)
    setSaving(false)
    setFailure(saved.kind === 'failed' ? saved.message : null)
    setPresent(saved.kind === 'conflict' ? saved.present : null)
    if (saved.kind === 'saved') take(saved.content, 'read')
  }
  function take(next: MemoryContent, nextMode: 'read' | 'edit'): void {
    onContent(next)
    setTyped(null)
    setPresent(null)
    setMode(nextMode)
  }

  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={memoryName(memory.path)}
      description={`${SCOPE_TEXTS[memory.scope].title} · ${memoryFacts(memory)}${memory.preloaded ? ' · preloaded' : ''}`}
      footer={
        <>
          <Button kind="danger" onClick={onDelete} className="mr-auto">
            Delete
          </Button>
          <Button onClick={() => onPin(!memory.pinned)}>{memory.pinned ? 'Unpin' : 'Pin'}</Button>
          <Button
            kind="primary"
            disabled={!changed || saving || present !== null}
            onClick={() => content !== null && void save(content.version)}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {problem !== null && <ErrorState message={problem} />}
        {failure !== null && <ErrorState message={failure} />}
        {present !== null && (
          <Conflict onTake={() => take(present, 'edit')} onOverwrite={() => void save(present.version)} />
        )}
        {content === null ? (
          problem === null && <Skeleton bars={[70, 90, 40]} />
        ) : (
          <>
            <Segmented label="View" value={mode} onChange={setMode} options={MODES} />
            {mode === 'read' ? (
              <Preview text={text} />
            ) : (
              <TextArea
                label="Text"
                labelHidden
                mono
                rows={14}
                value={text}
                onChange={setTyped}
                testId="memory-text"
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !changed || saving) return
                  event.preventDefault()
                  void save(content.version)
                }}
              />
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

function Preview({ text }: { readonly text: string }) {
  if (text.trim() === '') return <p className="text-body text-quiet">This memory is empty.</p>
  return (
    <div className="rounded-regular border border-line bg-surface px-3 py-2">
      <Markdown text={text} />
    </div>
  )
}

function Conflict({ onTake, onOverwrite }: { readonly onTake: () => void; readonly onOverwrite: () => void }) {
  return (
    <ErrorState
      message="Somebody else changed this memory meanwhile. Your text is not saved yet."
      action={
        <span className="flex flex-wrap gap-2">
          <Button small onClick={onTake}>
            Take theirs
          </Button>
          <Button small onClick={onOverwrite}>
            Save mine over it
          </Button>
        </span>
      }
    />
  )
}
