// Owns what a person does to projects, and what is loaded when one comes on screen.
import type { ProjectView } from '@common/contract/views'
import { change, type App } from '../app-store'
import { ask, report } from './report'

/** Lets the person choose a folder and puts it on the list; null when cancelled. */
export async function pickProject(app: App): Promise<ProjectView | null> {
  const picked = await ask(app, 'project.pick', {})
  if (picked === null || picked.project === null) return null
  const { project } = picked
  change(app, (state) => ({ ...state, projects: withProject(state.projects, project) }))
  return project
}

/** Puts the folder at `path` on the list; null when it cannot be opened. */
export async function addProject(app: App, path: string): Promise<ProjectView | null> {
  const opened = await ask(app, 'project.open', { path })
  if (opened === null) return null
  change(app, (state) => ({ ...state, projects: withProject(state.projects, opened.project) }))
  return opened.project
}

/** Loads agents, commands and, for the trust prompt, offers of a project that comes on screen for the first time. */
export function prepareProject(app: App, projectId: string): void {
  if (app.store.getState().agents[projectId] !== undefined) return
  void loadAgents(app, projectId)
  void loadCommands(app, projectId)
  void loadOffers(app, projectId)
}

/** Answers the one trust prompt of a project. */
export async function trustProject(app: App, projectId: string, trusted: boolean): Promise<void> {
  const answer = await ask(app, 'project.trust', { projectId, trusted })
  if (answer === null) return
  change(app, (state) => ({ ...state, projects: withProject(state.projects, answer.project) }))
  await Promise.all([loadAgents(app, projectId), loadCommands(app, projectId)])
}

/** Takes a project off the list; its folder and workspaces stay where they are. */
export async function removeProject(app: App, projectId: string): Promise<void> {
  const done = await ask(app, 'project.remove', { projectId })
  if (done === null) return
  change(app, (state) => ({ ...state, projects: state.projects.filter((project) => project.id !== projectId) }))
}

/** Loads the agents that a project can use; problems in their files become notices. */
export async function loadAgents(app: App, projectId: string | null): Promise<void> {
  const listed = await ask(app, 'agents.list', { projectId })
  if (listed === null) return
  for (const problem of listed.problems) report(app, 'warning', problem)
  change(app, (state) => ({ ...state, agents: { ...state.agents, [projectId ?? '']: listed.agents } }))
}

/** Asks what a message in this project can begin with; without an answer `/` is ordinary text. */
export async function loadCommands(app: App, projectId: string): Promise<void> {
  const answer = await app.bridge.request('commands.list', { projectId })
  if (!answer.ok) return console.warn(answer.error.message)
  const { commands } = answer.value
  change(app, (state) => ({ ...state, commands: { ...state.commands, [projectId]: commands } }))
}

/** Loads what an untrusted project brings, for the trust prompt. */
async function loadOffers(app: App, projectId: string): Promise<void> {
  const project = app.store.getState().projects.find((each) => each.id === projectId)
  if (project === undefined || project.trusted !== undefined || !project.readable) return
  const offers = await ask(app, 'project.offers', { projectId })
  if (offers !== null) change(app, (state) => ({ ...state, offers: { ...state.offers, [projectId]: offers.files } }))
}

function withProject(projects: readonly ProjectView[], project: ProjectView): readonly ProjectView[] {
  return projects.some((each) => each.id === project.id)
    ? projects.map((each) => (each.id === project.id ? project : each))
    : [...projects, project]
}
