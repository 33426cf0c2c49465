// Owns changes of what is shown: dialogs, panels, notices. They touch nothing outside the window.
import type { Layout, OpenDialog, PanelTab } from '../app-state'
import { change, type App } from '../app-store'
import { rememberLayout } from '../layout-memory'

export function openDialog(app: App, dialog: OpenDialog | null): void {
  change(app, (state) => ({ ...state, dialog, layout: { ...state.layout, sheet: null } }))
}

/** Changes the layout and remembers which sides are shown. */
export function changeLayout(app: App, to: (layout: Layout) => Layout): void {
  change(app, (state) => ({ ...state, layout: to(state.layout) }))
  rememberLayout(app.store.getState().layout)
}

/** Shows or hides a side: a column on a wide window, a sheet on a narrow one. */
export function toggleSide(app: App, side: 'sidebar' | 'panel', narrow: boolean): void {
  changeLayout(app, (layout) => {
    if (narrow) return { ...layout, sheet: layout.sheet === side ? null : side }
    return side === 'sidebar'
      ? { ...layout, sidebarShown: !layout.sidebarShown }
      : { ...layout, panelShown: !layout.panelShown }
  })
}

export function showPanelTab(app: App, panelTab: PanelTab): void {
  change(app, (state) => ({ ...state, panelTab }))
}

export function markNoticesRead(app: App): void {
  change(app, (state) => {
    if (state.notices.every((entry) => entry.read)) return state
    return { ...state, notices: state.notices.map((entry) => (entry.read ? entry : { ...entry, read: true })) }
  })
}

export function clearNotices(app: App): void {
  change(app, (state) => ({ ...state, notices: [] }))
}

/** Hides a strip until the app starts again. */
export function dismiss(app: App, key: string): void {
  change(app, (state) => ({ ...state, dismissed: { ...state.dismissed, [key]: true } }))
}
