// Owns the page's start: bridge, store, first paint. The app listens to main before it asks anything (T-3).
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { AppRoot } from './app'
import { windowBridge } from './bridge-client'
import { runCommand } from './frame/commands'
import { connectApp } from './store/actions/start-app'
import { AppProvider } from './store/app-context'
import { createApp } from './store/app-store'
import { rememberedLayout } from './store/layout-memory'
import './styles.css'

// The page may not build functions from text (its security policy), so zod must not try.
z.config({ jitless: true })

const app = createApp(windowBridge(window.tidemark), rememberedLayout())
connectApp(app, (command, argument) => runCommand(app, command, argument))

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <AppProvider app={app}>
      <AppRoot />
    </AppProvider>
  </StrictMode>
)

// A frame, then a message: after the first paint.
requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    void app.bridge.request('shell.painted', { sinceStartMs: performance.now() })
  })
  port1.start()
  port2.postMessage(null)
})
