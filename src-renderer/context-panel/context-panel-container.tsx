// Owns the context tab of the right panel wired to the state.
import type { TodoItem } from '@common/tools/tool-contracts'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { modelOf, selectedWorkspace } from '../store/selectors'
import { ContextMeter } from './context-meter'
import { TodoList } from './todo-list'

const NONE: readonly TodoItem[] = []

export function ContextPanelContainer() {
  const app = useApp()
  const workspace = useAppState(selectedWorkspace)
  const usage = useAppState((state) => state.sessions[state.selectedWorkspaceId ?? '']?.usage ?? null)
  const todo = useAppState((state) => state.sessions[state.selectedWorkspaceId ?? '']?.todo ?? NONE)
  const limit = useAppState((state) => modelOf(state, workspace?.model ?? '')?.contextLimit ?? null)
  if (workspace === null) return null
  return (
    <>
      <ContextMeter
        usage={usage}
        workspace={workspace}
        limit={limit}
        onSetLimit={() => openDialog(app, { kind: 'settings', tab: 'models' })}
      />
      <TodoList items={todo} />
    </>
  )
}
