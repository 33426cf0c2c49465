// Owns how components reach the app: one context with a stable handle, one hook for data.
import { createContext, useContext, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { AppState } from './app-state'
import type { App } from './app-store'

const AppContext = createContext<App | null>(null)

export function AppProvider({ app, children }: { app: App; children: ReactNode }) {
  return <AppContext value={app}>{children}</AppContext>
}

/** The handle for actions; it never changes while the window lives. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('useApp needs an AppProvider above it')
  return app
}

/** Reads data; `selector` must return a stable reference for an unchanged state. */
export function useAppState<Value>(selector: (state: AppState) => Value): Value {
  return useStore(useApp().store, selector)
}
