// Owns the bar over the conversation wired to the state.
import { runCommand } from '../frame/commands'
import { keysOf } from '../frame/shortcut-text'
import { isSheet, useViewport } from '../frame/viewport'
import { NoticesButton } from '../notices/notices-button'
import { useApp, useAppState } from '../store/app-context'
import { selectedProject, selectedWorkspace } from '../store/selectors'
import { Header } from './header'

export function HeaderContainer() {
  const app = useApp()
  const viewport = useViewport()
  const workspace = useAppState(selectedWorkspace)
  const project = useAppState(selectedProject)
  const layout = useAppState((state) => state.layout)
  const platform = useAppState((state) => (state.start.kind === 'ready' ? state.start.facts.platform : ''))
  return (
    <Header
      title={workspace === null ? 'Tidemark' : workspace.title || 'New workspace'}
      project={project === null ? null : { name: project.name, path: workspace?.projectPath ?? project.path }}
      sidebarShown={isSheet('sidebar', viewport) ? layout.sheet === 'sidebar' : layout.sidebarShown}
      panelShown={workspace === null ? null : isSheet('panel', viewport) ? layout.sheet === 'panel' : layout.panelShown}
      onToggleSidebar={() => runCommand(app, 'toggle-sidebar', null)}
      onTogglePanel={() => runCommand(app, 'toggle-panel', null)}
      shortcuts={{ sidebar: keysOf('toggle-sidebar', platform), panel: keysOf('toggle-panel', platform) }}
      notices={<NoticesButton />}
    />
  )
}
