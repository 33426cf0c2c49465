// Owns what the handlers work with: the app's services and what only a desktop shell can do.
import type { Clock } from '@common/clock'
import type { EventBatch } from '@common/contract/events'
import type { Notice } from '@common/contract/views'
import type { ModelInfo } from '@common/models/model-info'
import type { AppPaths } from '../files/app-paths'
import type { Log } from '../files/log'
import type { ProviderRegistry } from '../provider/provider-registry'
import type { SessionRegistry } from '../session/session-registry'
import type { ProviderStore } from '../settings/provider-store'
import type { SettingsStore } from '../settings/settings-store'

/** What a shell lends: a command line lends refusals. */
export interface ShellPort {
  pickFolder(): Promise<string | null>
  pickSaveFile(suggestedName: string): Promise<string | null>
  /** Opens an http, https or mailto link outside; false when the scheme is refused. */
  openExternal(url: string): Promise<boolean>
  revealFile(path: string): void
  /** Rejects where there is no trash. */
  moveToTrash(path: string): Promise<void>
}

export interface AppServices {
  readonly paths: AppPaths
  readonly version: string
  readonly runtimeFallback: boolean
  readonly openProjectPath: string | null
  readonly clock: Clock
  readonly log: Log
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly settings: SettingsStore
  readonly providers: ProviderStore
  readonly registry: ProviderRegistry
  /** Every model that can be offered now. */
  listModels(): Promise<ModelInfo[]>
  readonly sessions: SessionRegistry
  readonly shell: ShellPort
  /** What opening the home found that the person should know. */
  notices(): Notice[]
  publish(batch: EventBatch): void
}
