// Owns the tabs of the right panel. Each tab is wired to the state by itself.
import { MemoryPanelContainer } from '../memory/memory-panel-container'
import { showPanelTab } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { Tabs } from '../ui/tabs'
import { ContextPanelContainer } from './context-panel-container'

export function SidePanel() {
  const app = useApp()
  const workspaceId = useAppState((state) => state.selectedWorkspaceId)
  const tab = useAppState((state) => state.panelTab)
  if (workspaceId === null) return null
  return (
    <Tabs
      label="Panel"
      narrow
      value={tab}
      onChange={(next) => showPanelTab(app, next)}
      tabs={[
        { value: 'context', label: 'Context', content: <ContextPanelContainer /> },
        {
          value: 'memory',
          label: 'Memory',
          content: <MemoryPanelContainer key={workspaceId} workspaceId={workspaceId} />
        }
      ]}
    />
  )
}
