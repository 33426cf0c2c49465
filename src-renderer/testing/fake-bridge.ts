// Owns an in-memory main: every request of the table over a fake world, with scripted answers. For stories
// and tests only. Inputs are parsed as main parses them, so that a wrong one fails here too.
import type { Answer, Bridge, RequestFailure } from '@common/contract/bridge'
import type { AppEvent, EventBatch } from '@common/contract/events'
import {
  REQUESTS,
  type ParsedInput,
  type RequestInput,
  type RequestName,
  type RequestOutput
} from '@common/contract/requests'
import type { WorkspaceView } from '@common/contract/views'
import { windowIdOfBoundary } from '@common/rows/boundaries'
import {
  fakeMemoryRefusal,
  listFakeMemories,
  readFakeMemory,
  withoutFakeMemory,
  writeFakeMemory
} from './fake-memories'
import { fakeContent, fakePieceText, fakeRequestPage } from './fake-inspector'
import { fakeSearchPage } from './fake-search'
import { FakeSession } from './fake-session'
import { verdictOf, windowsOf } from './fake-windows'
import { freshWorld, NO_SECTIONS, project, provider, type FakeWorld } from './fake-world'
import { workspaceView } from './session-builders'

export interface FakeBridge extends Bridge {
  readonly world: FakeWorld
  /** Every request so far, for assertions. */
  readonly calls: ReadonlyArray<{ readonly name: RequestName; readonly input: unknown }>
  publish(batch: EventBatch): void
  sessionOf(workspaceId: string): FakeSession
}

type Handlers = {
  [Name in RequestName]: (input: ParsedInput<Name>) => RequestOutput<Name> | Promise<RequestOutput<Name>>
}

/** A bridge over `changes` of a fresh installation. */
export function createFakeBridge(changes: Partial<FakeWorld> = {}): FakeBridge {
  const world: FakeWorld = { ...freshWorld(), ...changes }
  const listeners = new Set<(batch: EventBatch) => void>()
  const calls: Array<{ name: RequestName; input: unknown }> = []
  const sessions = new Map<string, FakeSession>()
  const publish = (batch: EventBatch) => listeners.forEach((listener) => listener(batch))
  const tell = (...events: AppEvent[]) => publish({ channel: 'app', events })

  function viewOf(workspaceId: string): WorkspaceView {
    const view = world.workspaces.find((each) => each.workspaceId === workspaceId)
    if (view === undefined) throw new Error(`no workspace ${workspaceId} in this story`)
    return view
  }
  function changeWorkspace(workspaceId: string, to: Partial<WorkspaceView>): WorkspaceView {
    const next = { ...viewOf(workspaceId), ...to }
    world.workspaces = world.workspaces.map((each) => (each.workspaceId === workspaceId ? next : each))
    tell({ type: 'workspace-changed', workspace: next })
    return next
  }
  function sessionOf(workspaceId: string): FakeSession {
    const known = sessions.get(workspaceId)
    if (known) return known
    const made = new FakeSession(
      viewOf(workspaceId),
      world.sessions[workspaceId] ?? {},
      publish,
      (to) => changeWorkspace(workspaceId, to),
      () => world.stepDelayMs
    )
    sessions.set(workspaceId, made)
    return made
  }
  function projectAt(path: string) {
    const known = world.projects.find((each) => each.path === path)
    if (known) return known
    const { trusted: _trusted, ...rest } = project()
    const id = `p-${world.projects.length + 1}`
    const added = { ...rest, id, path, name: path.split('/').at(-1) ?? path }
    world.projects = [...world.projects, world.offers.length > 0 ? added : { ...added, trusted: true }]
    return world.projects.at(-1) ?? added
  }

  const handlers: Handlers = {
    'app.start': () => ({
      version: '0.1.0',
      platform: world.platform,
      homePath: world.homePath,
      runtimeFallback: world.runtimeFallback,
      settings: world.settings,
      projects: world.projects,
      workspaces: world.workspaces.filter((each) => !each.archived),
      notices: world.notices,
      openWorkspaceId: world.openWorkspaceId,
      openProjectId: world.openProjectId
    }),
    'project.pick': () => ({ project: world.pickedPath === null ? null : projectAt(world.pickedPath) }),
    'project.open': ({ path }) => ({ project: projectAt(path) }),
    'project.trust': ({ projectId, trusted }) => {
      world.projects = world.projects.map((each) => (each.id === projectId ? { ...each, trusted } : each))
      return { project: world.projects.find((each) => each.id === projectId) ?? project() }
    },
    'project.remove': ({ projectId }) => {
      world.projects = world.projects.filter((each) => each.id !== projectId)
      return {}
    },
    'project.offers': () => ({ files: world.offers }),
    'files.search': ({ query }) => ({
      paths: world.files.filter((path) => path.toLowerCase().includes(query.toLowerCase()))
    }),
    'workspace.list': ({ archived }) => ({ workspaces: world.workspaces.filter((each) => each.archived === archived) }),
    'workspace.create': ({ projectId, model, agentId }) => {
      const path = world.projects.find((each) => each.id === projectId)?.path ?? '/'
      const workspace = workspaceView({
        workspaceId: `ws-${world.workspaces.length + 1}`,
        title: 'New workspace',
        projectId,
        projectPath: path,
        model: model ?? world.settings.defaultModel,
        agentId: agentId ?? world.settings.defaultAgent,
        approvalMode: world.settings.approvalMode,
        updatedAtMs: Date.now()
      })
      world.workspaces = [...world.workspaces, workspace]
      tell({ type: 'workspace-changed', workspace })
      return { workspace }
    },
    'workspace.open': ({ workspaceId }) => sessionOf(workspaceId).snapshot(viewOf(workspaceId)),
    'workspace.close': () => ({}),
    'workspace.page': ({ workspaceId, before }) => sessionOf(workspaceId).page(before),
    'workspace.pageAround': ({ workspaceId, rowId, sequence }) => {
      const page = sessionOf(workspaceId).pageAround(rowId, sequence)
      return page ?? { lines: '', before: null, after: null, skippedLines: 0 }
    },
    'workspace.pageAtWindow': ({ workspaceId, windowId }) => {
      const begins = sessionOf(workspaceId).rows.find((row) => windowIdOfBoundary(row) === windowId)
      const page = sessionOf(workspaceId).pageAround(begins?.id ?? '', null)
      return page ?? { lines: '', before: null, after: null, skippedLines: 0 }
    },
    'workspace.pageAfter': ({ workspaceId, after }) => sessionOf(workspaceId).pageAfter(after),
    'history.search': ({ workspaceId, query, cursor, limit }) =>
      fakeSearchPage(
        world.workspaces
          .filter((each) => workspaceId === null || each.workspaceId === workspaceId)
          .map((workspace) => ({ workspace, rows: sessionOf(workspace.workspaceId).rows })),
        world.memories,
        { query, cursor, limit: limit ?? 30 }
      ),
    'workspace.update': ({ workspaceId, projectPath, ...to }) => {
      const moved =
        projectPath === undefined ? {} : { projectPath, projectId: projectAt(projectPath).id, projectReadable: true }
      const set = Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined))
      return { workspace: changeWorkspace(workspaceId, { ...set, ...moved }) }
    },
    'workspace.delete': ({ workspaceId }) => {
      world.workspaces = world.workspaces.filter((each) => each.workspaceId !== workspaceId)
      tell({ type: 'workspace-removed', workspaceId })
      return {}
    },
    'workspace.export': () => ({ file: '/home/ada/conversation.md' }),
    'draft.save': ({ workspaceId, text, attachments }) => (sessionOf(workspaceId).saveDraft(text, attachments), {}),
    'turn.send': (input) => sessionOf(input.workspaceId).send(input),
    'turn.interrupt': ({ workspaceId }) => (sessionOf(workspaceId).interrupt(), {}),
    'turn.retry': ({ workspaceId }) => (sessionOf(workspaceId).retry(), {}),
    'queue.edit': ({ workspaceId, entryId, text, mode }) => {
      sessionOf(workspaceId).changeQueue((queue) =>
        queue.map((each) => (each.id === entryId ? { ...each, text, mode: mode ?? each.mode } : each))
      )
      return {}
    },
    'queue.remove': ({ workspaceId, entryId }) => {
      sessionOf(workspaceId).changeQueue((queue) => queue.filter((each) => each.id !== entryId))
      return {}
    },
    'queue.move': ({ workspaceId, entryId, toIndex }) => {
      sessionOf(workspaceId).changeQueue((queue) => {
        const moved = queue.filter((each) => each.id === entryId)
        return queue.filter((each) => each.id !== entryId).toSpliced(toIndex, 0, ...moved)
      })
      return {}
    },
    'queue.send': ({ workspaceId, entryId }) => (sessionOf(workspaceId).sendQueued(entryId), {}),
    'approval.answer': ({ workspaceId, approvalId }) => (sessionOf(workspaceId).answerApproval(approvalId), {}),
    'question.answer': ({ workspaceId, questionId }) => (sessionOf(workspaceId).answerQuestion(questionId), {}),
    'row.raw': () => ({ json: '{}' }),
    'row.edit': (input) => sessionOf(input.workspaceId).edit(input),
    'row.delete': ({ workspaceId, rowId }) => (sessionOf(workspaceId).deleteRow(rowId), {}),
    'row.fork': ({ workspaceId }) => {
      const source = viewOf(workspaceId)
      const forked = { ...source, workspaceId: `ws-${world.workspaces.length + 1}`, title: `${source.title} (fork)` }
      world.workspaces = [...world.workspaces, forked]
      world.sessions = { ...world.sessions, [forked.workspaceId]: { rows: [...sessionOf(workspaceId).rows] } }
      tell({ type: 'workspace-changed', workspace: forked })
      return { workspace: forked }
    },
    'history.clear': ({ workspaceId, soft }) => ({ rows: sessionOf(workspaceId).clear(soft) }),
    'windows.list': ({ workspaceId }) => ({ windows: windowsOf(sessionOf(workspaceId).rows) }),
    'window.verify': ({ workspaceId, windowId }) => verdictOf(windowsOf(sessionOf(workspaceId).rows), windowId),
    'context.sections': ({ workspaceId }) => world.sections[workspaceId] ?? NO_SECTIONS,
    'context.carryOver': ({ workspaceId }) => world.carryOver[workspaceId] ?? { isOn: true, items: [] },
    'context.setCarryOver': ({ workspaceId, itemId, isOn }) => {
      const view = world.carryOver[workspaceId] ?? { isOn: true, items: [] }
      const items = view.items.map((item) => (item.id === itemId ? { ...item, isOn } : item))
      const moved = itemId === null ? { ...view, isOn } : { ...view, items }
      world.carryOver = { ...world.carryOver, [workspaceId]: moved }
      return moved
    },
    'inspector.requests': ({ windowId, before, limit }) => fakeRequestPage(world.inspector, windowId, before, limit),
    'inspector.request': ({ requestSequence }) => {
      const content = fakeContent(world.inspector, requestSequence)
      if (content === null) throw new Error(`no request ${requestSequence} in this story`)
      return content
    },
    'inspector.text': ({ piece }) => {
      const text = fakePieceText(piece)
      return { text, nextOffset: null, totalChars: text.length }
    },
    'inspector.find': ({ requestSequence, query }) => {
      const { opening = [], messages = [] } = fakeContent(world.inspector, requestSequence) ?? {}
      const wanted = query.toLowerCase()
      const pieces = [...opening, ...messages].map(({ part, index }) => ({ part, index }))
      return { pieces: pieces.filter((piece) => fakePieceText(piece).toLowerCase().includes(wanted)) }
    },
    'inspector.ledger': () => world.inspector.ledger,
    'commands.list': () => ({
      commands: [
        {
          kind: 'command' as const,
          name: '/clear',
          arguments: '[--soft]',
          description: 'Empty this conversation, or begin afresh.'
        },
        ...world.skills.map(({ name, description }) => ({
          kind: 'skill' as const,
          name: `/${name}`,
          arguments: '[text]',
          description
        }))
      ]
    }),
    'attachment.add': async ({ filename, mediaType, bytes }) => {
      await new Promise((resolve) => setTimeout(resolve, world.stepDelayMs))
      const sha256 = [...filename]
        .reduce((hash, char) => (hash * 31 + (char.codePointAt(0) ?? 0)) % 2 ** 40, 7)
        .toString(16)
      return { attachment: { sha256: sha256.padStart(64, '0'), mediaType, filename, bytes: bytes.length } }
    },
    'attachment.read': () => ({ bytes: new Uint8Array() }),
    'spill.read': () => ({ text: '', nextOffset: null, totalBytes: 0 }),
    'memory.list': () => listFakeMemories(world.memories),
    'memory.read': ({ path }) => readFakeMemory(world.memories, path),
    'memory.write': ({ path, text }) => {
      world.memories = writeFakeMemory(world.memories, path, text)
      return readFakeMemory(world.memories, path)
    },
    'memory.delete': ({ path }) => {
      world.memories = withoutFakeMemory(world.memories, path)
      return { keptAt: `${world.homePath}/memories/global/.trash/${path.split('/').at(-1) ?? ''}` }
    },
    'memory.pin': ({ path, pinned }) => {
      world.memories = world.memories.map((each) =>
        each.view.path === path ? { ...each, view: { ...each.view, pinned } } : each
      )
      return {}
    },
    'settings.set': ({ path, value }) => {
      world.settings = setAt(world.settings, path.split('.'), value)
      tell({ type: 'settings-changed', settings: world.settings })
      return { settings: world.settings }
    },
    'providers.list': () => ({ providers: world.providers, keychain: world.keychain }),
    'providers.save': ({ provider: input }) => {
      const known = world.providers.find((each) => each.id === input.id)
      const saved = provider(input.id, {
        ...known,
        kind: input.kind,
        name: input.name ?? input.id,
        baseUrl: input.baseUrl ?? null,
        keySource: input.apiKey
          ? world.keychain
            ? 'keychain'
            : 'file'
          : input.apiKeyEnv
            ? 'environment'
            : (known?.keySource ?? 'none'),
        keyEnv: input.apiKeyEnv ?? null,
        headerNames: Object.keys(input.headers ?? {}),
        models: input.models
      })
      world.providers = [...world.providers.filter((each) => each.id !== input.id), saved]
      return { provider: saved }
    },
    'providers.remove': ({ providerId }) => {
      world.providers = world.providers.filter((each) => each.id !== providerId)
      return {}
    },
    'providers.test': ({ providerId }) => {
      const known = world.providers.find((each) => each.id === providerId)
      return known?.keySource === 'none'
        ? { works: false, message: `${known.name} has no key. Add one, then test again.` }
        : { works: true, message: `${known?.name ?? providerId} answered.` }
    },
    'providers.detect': () => ({ suggestions: world.suggestions }),
    'models.list': () => ({ models: world.models }),
    'agents.list': () => ({ agents: world.agents, problems: [] }),
    'shell.open-link': () => ({}),
    'shell.reveal': () => ({}),
    'shell.painted': () => ({})
  }

  /** What main would refuse, in a request that reads as one. */
  function refusalOf(name: RequestName, input: object): RequestFailure | null {
    if (name === 'workspace.pageAround') {
      const { workspaceId, rowId, sequence } = input as ParsedInput<'workspace.pageAround'>
      if (sessionOf(workspaceId).pageAround(rowId, sequence) === null)
        return { kind: 'not-found', message: 'That message is no longer in this conversation. Search again.' }
    }
    if (name !== 'memory.write') return null
    const { path, version } = input as ParsedInput<'memory.write'>
    return fakeMemoryRefusal(world.memories, path, version)
  }

  async function request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>
  ): Promise<Answer<RequestOutput<Name>>> {
    calls.push({ name, input })
    const failure = world.failures[name]
    await Promise.resolve()
    if (failure !== undefined) return { ok: false, error: failure }
    const parsed = REQUESTS[name].input.safeParse(input)
    if (!parsed.success)
      return { ok: false, error: { kind: 'invalid-input', message: `${name}: ${parsed.error.message}` } }
    const refusal = refusalOf(name, parsed.data)
    if (refusal !== null) return { ok: false, error: refusal }
    return { ok: true, value: await handlers[name](parsed.data as ParsedInput<Name>) }
  }

  return {
    world,
    calls,
    publish,
    sessionOf,
    request,
    onEvent: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

function setAt<Value extends object>(target: Value, path: readonly string[], value: unknown): Value {
  const [key = '', ...rest] = path
  const inner: unknown = Reflect.get(target, key)
  const next = rest.length === 0 ? value : setAt(typeof inner === 'object' && inner !== null ? inner : {}, rest, value)
  return { ...target, [key]: next }
}
