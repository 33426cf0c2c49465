// Owns the app's root: starting, started, or failed to start. What is inside belongs to the folders.
import { SidePanel } from './context-panel/side-panel'
import { Conversation } from './frame/conversation'
import { Dialogs } from './frame/dialogs'
import { Frame } from './frame/frame'
import { useScrollbarWidth } from './frame/use-scrollbar-width'
import { useShortcuts } from './frame/use-shortcuts'
import { useTheme } from './frame/use-theme'
import { useViewport } from './frame/viewport'
import { NoticeToasts } from './notices/notice-toasts'
import { SidebarContainer } from './sidebar/sidebar-container'
import { startApp } from './store/actions/start-app'
import { changeLayout } from './store/actions/view-actions'
import { useApp, useAppState } from './store/app-context'
import { Button } from './ui/button'
import { ErrorState, Skeleton } from './ui/view-states'

export function AppRoot() {
  const app = useApp()
  const start = useAppState((state) => state.start)
  const layout = useAppState((state) => state.layout)
  const hasPanel = useAppState((state) => state.selectedWorkspaceId !== null || state.panelTab === 'search')
  const viewport = useViewport()
  useTheme()
  useShortcuts()
  useScrollbarWidth()
  if (start.kind === 'starting')
    return <Skeleton bars={[30, 50, 40]} label="Starting" className="mx-auto max-w-(--container-text) p-8" />
  if (start.kind === 'failed')
    return (
      <main className="mx-auto max-w-(--container-text) p-8">
        <ErrorState
          message={start.message}
          action={<Button onClick={() => void startApp(app, null)}>Try again</Button>}
        />
      </main>
    )
  return (
    <>
      <Frame
        viewport={viewport}
        sidebarShown={layout.sidebarShown}
        panelShown={layout.panelShown}
        sheet={layout.sheet}
        onCloseSheet={() => changeLayout(app, (current) => ({ ...current, sheet: null }))}
        sidebar={<SidebarContainer />}
        panel={hasPanel ? <SidePanel /> : null}
        main={<Conversation />}
      />
      <Dialogs />
      <NoticeToasts />
    </>
  )
}
