// Owns the memory panel wired to the state: the list is loaded when it comes on screen and for each workspace.
import { useEffect, useState } from 'react'
import type { MemoryContent } from '@common/contract/memory-views'
import type { Settings } from '@common/settings/settings-schema'
import { deleteMemory, loadMemories, memoryShown, pinMemory, saveMemory } from '../store/actions/memory-actions'
import { report } from '../store/actions/report'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { MemoryDialog } from './memory-dialog'
import { MemoryList } from './memory-list'
import { NewMemoryDialog } from './new-memory-dialog'

interface OpenMemory {
  readonly path: string
  readonly content: MemoryContent | null
  readonly problem: string | null
}

export function MemoryPanelContainer({ workspaceId }: { readonly workspaceId: string }) {
  const app = useApp()
  const memories = useAppState((state) => (state.memories?.workspaceId === workspaceId ? state.memories : null))
  const restriction = useAppState((state) => restrictionOf(state.settings))
  const [opened, setOpened] = useState<OpenMemory | null>(null)
  const [making, setMaking] = useState(false)
  const wanted = useAppState((state) => (state.memoryToOpen?.workspaceId === workspaceId ? state.memoryToOpen : null))
  useEffect(() => void loadMemories(app, workspaceId), [app, workspaceId])
  useEffect(() => {
    if (wanted === null) return
    memoryShown(app)
    void open(wanted.path, true)
    // oxlint-disable-next-line react/exhaustive-deps -- opened once for each wish, by whichever function is there
  }, [app, wanted])
  const view = memories?.listing?.memories.find((memory) => memory.path === opened?.path)

  /** `told`: a failure is a notice too, for a memory that is gone has no dialog to say it in. */
  async function open(path: string, told = false): Promise<void> {
    setOpened({ path, content: null, problem: null })
    const answer = await app.bridge.request('memory.read', { workspaceId, path })
    if (!answer.ok && told) report(app, 'warning', answer.error.message, workspaceId)
    setOpened((current) => {
      if (current?.path !== path) return current
      return answer.ok
        ? { path, content: answer.value, problem: null }
        : { path, content: null, problem: answer.error.message }
    })
  }

  return (
    <>
      <MemoryList
        listing={memories?.listing ?? null}
        problem={memories?.problem ?? null}
        restriction={restriction}
        onReload={() => void loadMemories(app, workspaceId)}
        onOpen={(path) => void open(path)}
        onPin={(path, pinned) => void pinMemory(app, workspaceId, path, pinned)}
        onNew={() => setMaking(true)}
        onSettings={() => openDialog(app, { kind: 'settings', tab: 'memory' })}
      />
      {opened !== null && view !== undefined && (
        <MemoryDialog
          key={opened.path}
          memory={view}
          content={opened.content}
          problem={opened.problem}
          onSave={(text, version) => saveMemory(app, workspaceId, opened.path, text, version)}
          onContent={(content) => setOpened({ path: opened.path, content, problem: null })}
          onPin={(pinned) => void pinMemory(app, workspaceId, opened.path, pinned)}
          onDelete={() => {
            setOpened(null)
            void deleteMemory(app, workspaceId, opened.path)
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {making && (
        <NewMemoryDialog
          onSave={(path, text) => saveMemory(app, workspaceId, path, text, null)}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}

function restrictionOf({ memory, hotMemories }: Settings): string | null {
  if (memory === 'off') return 'Memory is off: agents see none of this.'
  if (memory === 'read-only') return 'Agents may read memories but not change them.'
  return hotMemories ? null : 'Nothing is preloaded: agents look memories up themselves.'
}
