// Owns what the window remembers by itself, in its own storage under the app's home: the collapse state, and
// for a reload the workspace on screen. What is stored is untrusted: anything odd counts as the default.
import { z } from 'zod'
import type { Layout } from './app-state'

const KEY = 'tidemark.layout'
const Stored = z.object({ sidebarShown: z.boolean(), panelShown: z.boolean() })
const DEFAULT: Layout = { sidebarShown: true, panelShown: true, sheet: null }

/** The layout of last time. */
export function rememberedLayout(): Layout {
  try {
    const stored = Stored.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return stored.success ? { ...stored.data, sheet: null } : DEFAULT
  } catch (error) {
    // Storage may be denied, or hold something else: both mean that nothing is remembered.
    console.warn('The layout could not be read.', error)
    return DEFAULT
  }
}

export function rememberLayout(layout: Layout): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(Stored.parse(layout)))
  } catch (error) {
    console.warn('The layout could not be remembered.', error)
  }
}

const WORKSPACE_KEY = 'tidemark.workspace'

/** The workspace that was on screen before a reload; null after a start. */
export function workspaceBeforeReload(): string | null {
  try {
    return sessionStorage.getItem(WORKSPACE_KEY)
  } catch (error) {
    console.warn('The open workspace could not be read.', error)
    return null
  }
}

export function rememberWorkspace(workspaceId: string | null): void {
  try {
    if (workspaceId === null) sessionStorage.removeItem(WORKSPACE_KEY)
    else sessionStorage.setItem(WORKSPACE_KEY, workspaceId)
  } catch (error) {
    console.warn('The open workspace could not be remembered.', error)
  }
}
