// Owns how the window comes to life: listen first, then ask (T-3), then show what was open last.
import { effectsOf, receiveBatch, type BatchEffect } from '../receive-batch'
import { withNotice, withWorkspaces } from '../apply-app-event'
import { change, type App } from '../app-store'
import { loadMemories } from './memory-actions'
import { detectProviders, loadProviders } from './provider-actions'
import { loadAgents } from './project-actions'
import { selectWorkspace, takeSnapshot } from './session-actions'
import { openProject } from './workspace-actions'

/** A conversation that opens more slowly does not keep the frame around it from the screen. */
const FIRST_PICTURE_LIMIT_MS = 200

export interface ConnectOptions {
  /** Hears what the shell (menu, second instance) asks the window to do. */
  readonly onCommand: (command: string, argument: string | null) => void
  /** The workspace that was on screen before a reload; null after a start. */
  readonly reloadedWorkspaceId: string | null
}

/** Connects the app to main and returns what disconnects it. */
export function connectApp(app: App, { onCommand, reloadedWorkspaceId }: ConnectOptions): () => void {
  const stop = app.bridge.onEvent((batch) => {
    const before = app.store.getState()
    change(app, (state) => receiveBatch(state, batch))
    for (const effect of effectsOf(before, app.store.getState(), batch)) carryOut(app, effect, onCommand)
  })
  void startApp(app, reloadedWorkspaceId)
  return stop
}

/** Asks main for the first picture; also the way to try again. */
export async function startApp(app: App, reloadedWorkspaceId: string | null): Promise<void> {
  const answer = await app.bridge.request('app.start', {})
  if (!answer.ok) {
    change(app, (state) => ({ ...state, start: { kind: 'failed', message: answer.error.message } }))
    return
  }
  const { settings, projects, workspaces, notices, openWorkspaceId, openProjectId, ...facts } = answer.value
  change(app, (state) => {
    const known = withWorkspaces(
      { ...state, settings, projects, selectedProjectId: openProjectId ?? projects[0]?.id ?? null },
      workspaces
    )
    return notices.reduce((next, notice) => withNotice(next, notice, null), known)
  })
  const reloaded = workspaces.find((workspace) => workspace.workspaceId === reloadedWorkspaceId)
  const opening = openFirst(app, reloaded?.workspaceId ?? openWorkspaceId, openProjectId)
  void loadProviders(app)
  // Drawn once with its conversation, not first around an empty place.
  await Promise.race([opening, new Promise((resolve) => setTimeout(resolve, FIRST_PICTURE_LIMIT_MS))])
  change(app, (state) => ({ ...state, start: { kind: 'ready', facts } }))
  await opening
  // It looks for servers on this machine: nothing that a first picture should share the processor with.
  void detectProviders(app)
}

async function openFirst(app: App, workspaceId: string | null, projectId: string | null): Promise<void> {
  if (workspaceId !== null) await selectWorkspace(app, workspaceId)
  else if (projectId !== null) await openProject(app, projectId)
  else void loadAgents(app, null)
}

function carryOut(app: App, effect: BatchEffect, onCommand: (command: string, argument: string | null) => void): void {
  switch (effect.kind) {
    case 'reopen':
      void takeSnapshot(app, effect.workspaceId)
      return
    case 'reload-models':
      void loadProviders(app)
      return
    case 'reload-memories':
      void loadMemories(app, effect.workspaceId)
      return
    case 'shell-command':
      onCommand(effect.command, effect.argument)
  }
}
