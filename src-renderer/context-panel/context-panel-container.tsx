// Owns the context tab of the right panel wired to the state.
import { useState } from 'react'
import { budgetModeOf, TOKEN_BUDGET } from '@common/budget/budget-mode'
import type { WorkspaceView } from '@common/contract/views'
import type { TodoItem } from '@common/tools/tool-contracts'
import { inspectWindow } from '../store/actions/inspector-actions'
import { openDialog } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { selectedWorkspace } from '../store/selectors'
import { CarryContainer } from './carry-container'
import { ContextDetails } from './context-details'
import { ContextMeter } from './context-meter'
import { SectionsContainer } from './sections-container'
import { percentOfThreshold, thresholdText } from './threshold-texts'
import { TodoList } from './todo-list'
import { useModelThreshold } from './use-threshold'
import { useWindowFill, useWindowModel } from './use-window-marks'

const NONE: readonly TodoItem[] = []

export function ContextPanelContainer() {
  const workspace = useAppState(selectedWorkspace)
  const todo = useAppState((state) => state.sessions[state.selectedWorkspaceId ?? '']?.todo ?? NONE)
  if (workspace === null) return null
  return (
    <>
      <Meter key={workspace.workspaceId} workspace={workspace} />
      <TodoList items={todo} />
      <CarryContainer key={`carry-${workspace.workspaceId}`} workspaceId={workspace.workspaceId} />
    </>
  )
}

function Meter({ workspace }: { readonly workspace: WorkspaceView }) {
  const app = useApp()
  const { workspaceId } = workspace
  const [open, setOpen] = useState(false)
  const modelRef = useWindowModel(workspaceId)
  const threshold = useModelThreshold(modelRef)
  const { settings } = threshold
  const { usage, marks } = useWindowFill(workspaceId, settings)
  const inSheet = useAppState((state) => state.layout.sheet === 'panel')
  const { isTokenBudget } = budgetModeOf({ settings, modelRef, experiments: undefined })
  return (
    <ContextMeter
      usage={usage}
      marks={marks}
      detailsOpen={open}
      onDetails={setOpen}
      beside={!inSheet}
      onInspect={() => inspectWindow(app, workspaceId, null)}
      onSetLimit={() => openDialog(app, { kind: 'settings', tab: 'models' })}
      details={
        <ContextDetails
          sections={<SectionsContainer workspaceId={workspaceId} maxTokens={marks?.maxTokens ?? null} />}
          usage={usage}
          workspace={workspace}
          marks={marks}
          threshold={threshold}
          isTokenBudget={isTokenBudget}
          isOnForDemo={isTokenBudget && settings.experiments[TOKEN_BUDGET] === undefined}
          defaultText={thresholdText(percentOfThreshold(settings.autoThreshold))}
          onExperiments={() => openDialog(app, { kind: 'settings', tab: 'experiments' })}
        />
      }
    />
  )
}
