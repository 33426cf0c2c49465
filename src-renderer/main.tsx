// Owns the page's start: bridge, store, first paint. The app listens to main before it asks anything (T-3).
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { AppRoot } from './app'
import { windowBridge } from './bridge-client'
import { runCommand } from './frame/commands'
import { tellFirstPaint } from './frame/first-paint'
import { connectApp } from './store/actions/start-app'
import { AppProvider } from './store/app-context'
import { createApp } from './store/app-store'
import { rememberedLayout, rememberWorkspace, workspaceBeforeReload } from './store/layout-memory'
import './styles.css'

// The page may not build functions from text (its security policy), so zod must not try.
z.config({ jitless: true })

const app = createApp(windowBridge(window.tidemark), rememberedLayout())
tellFirstPaint(app)
connectApp(app, {
  onCommand: (command, argument) => runCommand(app, command, argument),
  reloadedWorkspaceId: workspaceBeforeReload()
})
app.store.subscribe(({ selectedWorkspaceId }, before) => {
  if (selectedWorkspaceId !== before.selectedWorkspaceId) rememberWorkspace(selectedWorkspaceId)
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <AppProvider app={app}>
      <AppRoot />
    </AppProvider>
  </StrictMode>
)
