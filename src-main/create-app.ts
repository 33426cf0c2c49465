// Owns the composition of the app, in layer order. Knows no Electron: the shell or the command line hands in
// what only they can do, so that the same app runs in a window, in a script and in a test.
import { randomUUID } from 'node:crypto'
import { notEffectiveTexts } from '@common/budget/budget-mode'
import type { Clock } from '@common/clock'
import { splitModelRef } from '@common/ids'
import type { EventBatch } from '@common/contract/events'
import type { Notice, WorkspaceView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { ProviderEntry } from '@common/settings/provider-schema'
import type { Settings } from '@common/settings/settings-schema'
import { createTokenCounter } from './context/token-counter'
import { appPathsOf } from './files/app-paths'
import { type FileSystem, nodeFileSystem } from './files/file-system'
import { installKeyOf } from './files/install-key'
import { createFileLog } from './files/log'
import { systemClock } from './files/system-clock'
import { appHandlers } from './ipc/app-handlers'
import type { AppServices, ShellPort } from './ipc/app-services'
import { createDispatch } from './ipc/dispatch'
import type { Dispatch } from './ipc/dispatch'
import { contextHandlers } from './ipc/context-handlers'
import { historyHandlers } from './ipc/history-handlers'
import { inspectorHandlers } from './ipc/inspector-handlers'
import { memoryHandlers } from './ipc/memory-handlers'
import { providerHandlers } from './ipc/provider-handlers'
import { searchHandlers } from './ipc/search-handlers'
import { turnHandlers } from './ipc/turn-handlers'
import { workspaceHandlers } from './ipc/workspace-handlers'
import { createDemoModel } from './provider/demo/demo-model'
import { createModelIdCache } from './provider/model-id-cache'
import { listModels, modelInfoOf } from './provider/model-registry'
import { createProviderRegistry } from './provider/provider-registry'
import { attentionOf } from './session/attention'
import { startIdleCompaction } from './session/idle-compaction'
import type { SessionDeps } from './session/session-deps'
import { SessionRegistry } from './session/session-registry'
import { openProviderStore } from './settings/provider-store'
import { providerKeyEnvNames } from './settings/provider-key-env'
import { createRedactor } from './settings/redactor'
import type { SecretCipher } from './settings/secret-cipher'
import { openSettingsStore } from './settings/settings-store'
import { childEnvironment } from './tools/child-env'
import { createToolRegistry } from './tools/tool-registry'
import type { ToolDefinition } from './tools/tool-types'

export interface AppOptions {
  /** Root of every file (`TIDEMARK_HOME`). */
  readonly home: string
  readonly version: string
  readonly runtimeFallback: boolean
  readonly openProjectPath: string | null
  /** The system's keychain; null on a command line. */
  readonly cipher: SecretCipher | null
  readonly shell: ShellPort
  publish(batch: EventBatch): void
  /** Told when a turn ended or asks while nobody looks. */
  notify(title: string, body: string, onClick: () => void): void
  /** False when nobody could answer an approval. */
  readonly personPresent?: boolean
  /** The built token worker; null counts in this thread (tests, scripts). */
  readonly tokenWorkerFile?: string | null
  /** Laid over config.json for this process alone (flags of the command line). */
  readonly settingsOverride?: Partial<Settings>
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** Tools of other sources than our own. */
  readonly tools?: readonly ToolDefinition[]
  /** The calls that histories are made of; tests make them fail and count them. */
  readonly fs?: FileSystem
}

export interface App {
  readonly dispatch: Dispatch
  readonly services: AppServices
  /** Resolves when every turn has ended and the last append is on disk. */
  close(): Promise<void>
}

/** Opens the home and composes the app; creates nothing that a person did not ask for. */
export async function createApp(options: AppOptions): Promise<App> {
  const clock = options.clock ?? systemClock
  const environment = options.environment ?? process.env
  const paths = appPathsOf(options.home)
  const log = createFileLog(paths.log, clock)
  const newId = (): string => randomUUID()

  const settings = openSettingsStore(paths.config, { log, clock })
  for (const message of notEffectiveTexts(settings.settings().experiments))
    log.warn('setting-not-effective', { message })
  const providers = openProviderStore({ paths, environment, cipher: options.cipher, log, clock })
  const keyOf = (entry: ProviderEntry): string | null => {
    const key = providers.resolveKey(entry)
    return key.ok ? key.value : null
  }
  const registry = createProviderRegistry({
    entries: () => providers.entries(),
    env: environment,
    resolveKey: async (entry) => keyOf(entry),
    modelInfo: (ref, entry) => modelInfoOf(ref, entry, providers.isAvailable(entry)),
    demoModel: () => createDemoModel({ sleep: (delayMs, signal) => clock.sleep(delayMs, signal) }),
    clock
  })

  const askModelIds = createModelIdCache({
    clock,
    keyOf
  })
  const views = new Map<string, WorkspaceView>()
  function tellView(workspace: WorkspaceView, quietly = false): void {
    const { workspaceId } = workspace
    const attention = attentionOf(views.get(workspaceId), workspace)
    views.set(workspaceId, workspace)
    options.publish({ channel: 'app', events: [{ type: 'workspace-changed', workspace }] })
    if (attention === null || quietly) return
    options.notify(attention.title, attention.body, () =>
      options.publish({
        channel: 'app',
        events: [{ type: 'shell-command', command: 'open-workspace', argument: workspaceId }]
      })
    )
  }

  function infoOf(modelRef: string): ModelInfo | null {
    const entry = providers.entries().find(({ id }) => id === splitModelRef(modelRef)?.providerId)
    return entry === undefined ? null : modelInfoOf(modelRef, entry)
  }

  const tools = createToolRegistry(options.tools)
  const counter = createTokenCounter({ workerFile: options.tokenWorkerFile ?? null })
  const sessionDeps: SessionDeps = {
    paths,
    clock,
    log,
    fs: options.fs ?? nodeFileSystem,
    newId,
    settings: () => ({ ...settings.settings(), ...options.settingsOverride }),
    providers: registry,
    modelInfo: infoOf,
    tools,
    counter,
    childEnv: () => childEnvironment(environment, [...providerKeyEnvNames(providers.entries())]),
    redact: (text) => createRedactor(providers.secretValues())(text),
    installKey: installKeyOf(paths.installKey, log),
    personPresent: options.personPresent ?? true,
    onView: tellView
  }
  const sessions = new SessionRegistry(sessionDeps)
  const idleCompaction = startIdleCompaction({ ...sessionDeps, openSessions: () => sessions.allOpened() })

  const services: AppServices = {
    paths,
    version: options.version,
    runtimeFallback: options.runtimeFallback,
    openProjectPath: options.openProjectPath,
    clock,
    log,
    environment,
    settings,
    providers,
    registry,
    listModels: () => listModels(providers.entries(), (entry) => providers.isAvailable(entry), askModelIds),
    sessions,
    shell: options.shell,
    notices: () => configNotices(),
    publish: options.publish
  }
  const handlers = {
    ...appHandlers(services),
    ...workspaceHandlers(services),
    ...turnHandlers(services, newId),
    ...historyHandlers(services),
    ...contextHandlers(services),
    ...inspectorHandlers(services, { fs: options.fs ?? nodeFileSystem, counter, modelInfo: infoOf }),
    ...memoryHandlers(services),
    ...searchHandlers(services),
    ...providerHandlers(services)
  }

  function configNotices(): Notice[] {
    const problems = [...settings.problems(), ...providers.problems()].map((problem) => ({
      level: problem.kind === 'broken' ? ('error' as const) : ('warning' as const),
      message: problem.message
    }))
    const ineffective = notEffectiveTexts(settings.settings().experiments)
    return [...problems, ...ineffective.map((message) => ({ level: 'warning' as const, message }))].map(
      (notice, index) => ({ id: `config-${index}`, ...notice, atMs: clock.now() })
    )
  }

  return {
    dispatch: createDispatch(handlers, log),
    services,
    async close() {
      const idle = idleCompaction.close()
      await sessions.close()
      await idle
      await tools.closeTools()
      await counter.close()
    }
  }
}
