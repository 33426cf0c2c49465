// Owns what a session is given: the app's shared services, and the opened files of its workspace.
import type { Clock } from '@common/clock'
import type { Notice, QueueEntry, WorkspaceView } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { Settings } from '@common/settings/settings-schema'
import type { RequestLog } from '../context/request-log'
import type { TokenCounter } from '../context/token-counter'
import type { AppPaths, WorkspacePaths } from '../files/app-paths'
import type { FileSystem } from '../files/file-system'
import type { Log } from '../files/log'
import type { AttachmentFiles } from '../history/attachments'
import type { HistoryStore } from '../history/history-store'
import type { ProviderRegistry } from '../provider/provider-registry'
import type { SeenFiles } from '../tools/seen-files'
import type { SpillStore } from '../tools/tool-types'
import type { ToolRegistry } from '../tools/tool-registry'
import type { Drafts } from './drafts'
import type { MessageQueue } from './message-queue'
import type { WorkspaceHandle } from './workspace-handle'

export interface SessionDeps {
  readonly paths: AppPaths
  readonly clock: Clock
  readonly log: Log
  /** The calls that a history's files are made of. */
  readonly fs: FileSystem
  newId(): string
  settings(): Settings
  readonly providers: ProviderRegistry
  /** What is known of a model; null for a provider that is not configured. Opens no key. */
  modelInfo(modelRef: string): ModelInfo | null
  readonly tools: ToolRegistry
  readonly counter: TokenCounter
  /** Environment of child processes, without the providers' keys (O-2). */
  childEnv(): Readonly<Record<string, string>>
  /** Strikes the keys of providers out of a text, as far as they are known now. */
  redact(text: string): string
  /** The secret of this installation, for cursors; made when first asked for. */
  installKey(): Uint8Array
  /** False on a command line without a terminal. */
  readonly personPresent: boolean
  /** The workspace looks different from outside; `quietly` by work that nobody asked for. */
  onView(view: WorkspaceView, quietly?: boolean): void
}

export interface OpenedSession {
  readonly paths: WorkspacePaths
  readonly workspace: WorkspaceHandle
  readonly history: HistoryStore
  /** What was sent to providers (V-1). */
  readonly requests: RequestLog
  readonly queue: MessageQueue
  readonly drafts: Drafts
  readonly spill: SpillStore
  readonly attachments: AttachmentFiles
  readonly seenFiles: SeenFiles
  /** What opening found that the person should know. */
  readonly notices: readonly Notice[]
  onQueueChange(listener: (entries: readonly QueueEntry[]) => void): void
  /** False when the project's folder is gone or cannot be read. */
  projectReadable(): boolean
  close(): Promise<void>
}
