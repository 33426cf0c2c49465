// Owns the tabs of the right panel. Each tab is wired to the state by itself; without a workspace there is the search.
import { SearchContainer } from '../history-search/search-container'
import { MemoryPanelContainer } from '../memory/memory-panel-container'
import { showPanelTab } from '../store/actions/view-actions'
import { useApp, useAppState } from '../store/app-context'
import { Tabs, type TabsProps } from '../ui/tabs'
import type { PanelTab } from '../store/app-state'
import { ContextPanelContainer } from './context-panel-container'

export function SidePanel() {
  const app = useApp()
  const workspaceId = useAppState((state) => state.selectedWorkspaceId)
  const tab = useAppState((state) => state.panelTab)
  const search = { value: 'search', label: 'Search', content: <SearchContainer /> } as const
  const tabs: TabsProps<PanelTab>['tabs'] =
    workspaceId === null
      ? [search]
      : [
          { value: 'context', label: 'Context', content: <ContextPanelContainer /> },
          {
            value: 'memory',
            label: 'Memory',
            content: <MemoryPanelContainer key={workspaceId} workspaceId={workspaceId} />
          },
          search
        ]
  return <Tabs label="Panel" narrow value={tab} onChange={(next) => showPanelTab(app, next)} tabs={tabs} />
}
