// Owns what the app can be told to do as a whole: by a shortcut, the palette, a button, the menu bar, a
// notification or a second instance. Names that the shell sends (electron/menu.ts) are part of this list.
import { addProject } from '../store/actions/project-actions'
import { selectWorkspace } from '../store/actions/session-actions'
import { openSearch } from '../store/actions/search-actions'
import { interruptTurn } from '../store/actions/turn-actions'
import { openDialog, toggleSide } from '../store/actions/view-actions'
import { createWorkspace, openFolder, openProject } from '../store/actions/workspace-actions'
import type { App } from '../store/app-store'
import { selectedProject, selectedSession } from '../store/selectors'
import { isBusy } from '../store/session-state'
import { focusNextRegion } from './regions'
import { isSheet, viewportNow } from './viewport'

export type CommandName =
  | 'new-workspace'
  | 'open-project'
  | 'open-workspace'
  | 'open-settings'
  | 'open-palette'
  | 'open-shortcuts'
  | 'toggle-sidebar'
  | 'toggle-panel'
  | 'next-region'
  | 'find'
  | 'search-everywhere'
  | 'interrupt'

/** Runs a command; `argument` is the path of `open-project`, the id of `open-workspace`. An unknown name does nothing. */
export function runCommand(app: App, name: string, argument: string | null): void {
  if (isCommandName(name)) COMMANDS[name](app, argument)
}

/** True when the command has something to act on now. */
export function canRun(app: App, name: CommandName): boolean {
  if (name !== 'interrupt') return true
  const session = selectedSession(app.store.getState())
  return session !== null && isBusy(session.status)
}

const COMMANDS: Readonly<Record<CommandName, (app: App, argument: string | null) => void>> = {
  'new-workspace': (app) => {
    const project = selectedProject(app.store.getState())
    void (project === null ? openFolder(app) : createWorkspace(app, project.id))
  },
  'open-project': (app, path) => void (path === null ? openFolder(app) : openPath(app, path)),
  'open-workspace': (app, workspaceId) => void (workspaceId !== null && selectWorkspace(app, workspaceId)),
  'open-settings': (app) => openDialog(app, { kind: 'settings', tab: 'providers' }),
  'open-palette': (app) => openDialog(app, { kind: 'palette' }),
  'open-shortcuts': (app) => openDialog(app, { kind: 'shortcuts' }),
  'toggle-sidebar': (app) => toggleSide(app, 'sidebar', isSheet('sidebar', viewportNow())),
  'toggle-panel': (app) => toggleSide(app, 'panel', isSheet('panel', viewportNow())),
  find: (app) => openSearch(app, 'workspace', isSheet('panel', viewportNow())),
  'search-everywhere': (app) => openSearch(app, 'everywhere', isSheet('panel', viewportNow())),
  'next-region': () => focusNextRegion(document),
  interrupt: (app) => {
    const session = selectedSession(app.store.getState())
    if (session !== null && isBusy(session.status)) void interruptTurn(app, session.workspaceId)
  }
}

async function openPath(app: App, path: string): Promise<void> {
  const project = await addProject(app, path)
  if (project !== null) await openProject(app, project.id)
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}
