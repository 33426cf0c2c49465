// The whole app on real files and a loopback provider, for tests: a temporary home, a temporary project, one
// workspace. No Electron, no mocks; the seams are those that the shell uses.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@common/clock'
import type { SessionEvent } from '@common/contract/events'
import type { RequestInput, RequestName, RequestOutput } from '@common/contract/requests'
import { readRow } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import type { ProviderEntry } from '@common/settings/provider-schema'
import { createApp } from '../create-app'
import type { App, AppOptions } from '../create-app'
import type { AgentSession } from '../session/agent-session'
import { fastTempFolder } from './fast-temp-folder'

export interface TestApp {
  readonly home: string
  readonly project: string
  readonly app: App
  readonly workspaceId: string
  readonly session: AgentSession
  /** Every event of the session since it was opened, in order. */
  readonly events: readonly SessionEvent[]
  ask<Name extends RequestName>(name: Name, input: RequestInput<Name>): Promise<RequestOutput<Name>>
  /** Sends text and resolves with the end of the turn that it starts. */
  turn(text: string): Promise<TurnEnded>
  /** Sends text that asks nothing back. */
  send(text: string, mode?: 'tool-end' | 'turn-end'): Promise<Taken>
  /** Resolves with the first event, past or future, that fits. */
  event<Type extends SessionEvent['type']>(
    type: Type,
    fits?: (event: Extract<SessionEvent, { type: Type }>) => boolean
  ): Promise<Extract<SessionEvent, { type: Type }>>
  /** Resolves with the next end of a turn from now on. */
  nextEnd(): Promise<TurnEnded>
  /** The active window as it is on disk. */
  rows(): Promise<Row[]>
  writeProject(file: string, content: string): string
  close(): Promise<void>
}

type Taken = Exclude<RequestOutput<'turn.send'>, { accepted: 'needs-confirmation' }>

export type TurnEnded = Extract<SessionEvent, { type: 'turn-ended' }>

export interface TestAppOptions {
  readonly providers?: readonly ProviderEntry[]
  readonly model?: string
  readonly approvalMode?: 'ask' | 'accept-edits' | 'auto'
  readonly clock?: Clock
  readonly personPresent?: boolean
  readonly environment?: AppOptions['environment']
  readonly tools?: AppOptions['tools']
  /** Hears what crosses to the window. */
  readonly publish?: AppOptions['publish']
  /** Hears what a person who looks elsewhere is told. */
  readonly notify?: AppOptions['notify']
  /** Folder for the temporary home and project (a small disk, say). */
  readonly within?: string
  /** The calls that histories are made of. */
  readonly fs?: AppOptions['fs']
  /** Opens an existing home (a restart) instead of a new one. */
  readonly again?: Pick<TestApp, 'home' | 'project' | 'workspaceId'>
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const base =
    options.again === undefined
      ? realpathSync(mkdtempSync(path.join(options.within ?? fastTempFolder(), 'tidemark-app-')))
      : null
  const home = options.again?.home ?? path.join(base ?? '', 'home')
  const project = options.again?.project ?? path.join(base ?? '', 'project')
  mkdirSync(home, { recursive: true })
  mkdirSync(project, { recursive: true })
  if (options.providers !== undefined) {
    writeFileSync(path.join(home, 'providers.json'), JSON.stringify({ providers: options.providers }))
  }
  const app = await createApp({
    home,
    version: '0.0.0',
    runtimeFallback: false,
    openProjectPath: null,
    cipher: null,
    shell: {
      pickFolder: async () => project,
      pickSaveFile: async (name) => path.join(home, name),
      openExternal: async () => false,
      revealFile: () => undefined,
      moveToTrash: () => Promise.reject(new Error('no trash here'))
    },
    publish: options.publish ?? (() => undefined),
    notify: options.notify ?? (() => undefined),
    environment: options.environment ?? { PATH: process.env['PATH'], HOME: home },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.fs === undefined ? {} : { fs: options.fs }),
    ...(options.personPresent === undefined ? {} : { personPresent: options.personPresent })
  })

  async function ask<Name extends RequestName>(name: Name, input: RequestInput<Name>): Promise<RequestOutput<Name>> {
    const answer = await app.dispatch(name, input)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.kind}: ${answer.error.message}`)
    return answer.value as RequestOutput<Name>
  }

  const workspaceId = options.again?.workspaceId ?? (await newWorkspace(ask, project, options))
  const opened = await app.services.sessions.open(workspaceId)
  if (!opened.ok) throw new Error(opened.error)
  const session = opened.value
  const events: SessionEvent[] = []
  const waiting = new Set<(event: SessionEvent) => void>()
  session.events.subscribe((batch) => {
    for (const event of batch.events) {
      events.push(event)
      for (const waiter of waiting) waiter(event)
    }
  })

  function future<Type extends SessionEvent['type']>(
    type: Type,
    fits: (event: Extract<SessionEvent, { type: Type }>) => boolean = () => true
  ): Promise<Extract<SessionEvent, { type: Type }>> {
    return new Promise((resolve) => {
      const waiter = (event: SessionEvent): void => {
        if (!isOf(event, type) || !fits(event)) return
        waiting.delete(waiter)
        resolve(event)
      }
      waiting.add(waiter)
    })
  }

  const send: TestApp['send'] = async (text, mode = 'tool-end') => {
    const answer = await ask('turn.send', { workspaceId, text, attachments: [], mode })
    if (answer.accepted === 'needs-confirmation') throw new Error(answer.message)
    return answer
  }

  return {
    home,
    project,
    app,
    workspaceId,
    session,
    events,
    ask,
    send,
    async turn(text) {
      const end = future('turn-ended')
      await send(text)
      return end
    },
    async event(type, fits = () => true) {
      for (const event of events) if (isOf(event, type) && fits(event)) return event
      return future(type, fits)
    },
    nextEnd: () => future('turn-ended'),
    async rows() {
      const window = await session.store.activeWindow()
      if (!window.ok) throw new Error(window.error.message)
      return window.value.rows
    },
    writeProject(file, content) {
      const absolute = path.join(project, file)
      mkdirSync(path.dirname(absolute), { recursive: true })
      writeFileSync(absolute, content)
      return absolute
    },
    async close() {
      await app.close()
      if (base !== null) rmSync(base, { recursive: true, force: true })
    }
  }
}

function isOf<Type extends SessionEvent['type']>(
  event: SessionEvent,
  type: Type
): event is Extract<SessionEvent, { type: Type }> {
  return event.type === type
}

async function newWorkspace(ask: TestApp['ask'], projectPath: string, options: TestAppOptions): Promise<string> {
  const { project } = await ask('project.open', { path: projectPath })
  const { workspace } = await ask('workspace.create', {
    projectId: project.id,
    ...(options.model === undefined ? {} : { model: options.model })
  })
  const { workspaceId } = workspace
  await ask('workspace.update', { workspaceId, approvalMode: options.approvalMode ?? 'auto' })
  return workspaceId
}

/** The rows of a page as the renderer reads them. */
export function rowsOfLines(lines: string): Row[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const row = readRow(JSON.parse(line))
      return row === null ? [] : [row]
    })
}
