// Owns the shape of all that the window knows: plain data, a projection of main and of what the person
// opened. Drafts live apart (composer/draft-store), so that typing wakes nothing here.
import type { RequestOutput } from '@common/contract/requests'
import type { MemoryListing } from '@common/contract/memory-views'
import type { AgentView, Notice, ProjectView, WorkspaceView } from '@common/contract/views'
import type { CommandView } from '@common/contract/window-views'
import type { ModelInfo } from '@common/models/model-info'
import type { ProviderView } from '@common/settings/provider-schema'
import { defaultSettings, type Settings } from '@common/settings/settings-schema'
import { NO_SEARCH, type SearchState } from './search-state'
import type { SessionState } from './session-state'

export type ProviderSuggestions = RequestOutput<'providers.detect'>['suggestions']

/** Where a started app lives and runs. */
export interface AppFacts {
  readonly version: string
  readonly platform: string
  readonly homePath: string
  readonly runtimeFallback: boolean
}

export type AppStart =
  | { readonly kind: 'starting' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly facts: AppFacts }

/** A notice as the window keeps it: `workspaceId` is null when it is about the app. */
export interface NoticeEntry {
  readonly notice: Notice
  readonly workspaceId: string | null
  readonly read: boolean
}

export type SettingsTab =
  | 'providers'
  | 'models'
  | 'context'
  | 'permissions'
  | 'memory'
  | 'experiments'
  | 'appearance'
  | 'data'

export type OpenDialog =
  | { readonly kind: 'settings'; readonly tab: SettingsTab }
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  /** Requests of one window, or of all (null). */
  | { readonly kind: 'inspector'; readonly workspaceId: string; readonly windowId: string | null }

export interface Layout {
  /** Collapse state on a wide window; remembered. */
  readonly sidebarShown: boolean
  readonly panelShown: boolean
  /** The sheet that is open on a narrow window; never remembered. */
  readonly sheet: 'sidebar' | 'panel' | null
}

/** The tabs of the right panel. */
export type PanelTab = 'context' | 'memory' | 'search'

/** The memories of the workspace whose panel was opened last. */
export interface MemoriesState {
  readonly workspaceId: string
  /** Null until loaded; what was loaded stays while it is loaded again. */
  readonly listing: MemoryListing | null
  /** Why the last loading failed. */
  readonly problem: string | null
}

export interface Jump {
  readonly workspaceId: string
  readonly rowId: string
  /** Tells rows with one id apart; null where the row has none. */
  readonly sequence: number | null
  /** The words to mark there; empty for none. */
  readonly words: string
}

export interface AppState {
  readonly start: AppStart
  readonly settings: Settings
  readonly projects: readonly ProjectView[]
  /** All workspaces that main told of, archived ones once they were asked for. */
  readonly workspaces: Readonly<Record<string, WorkspaceView>>
  readonly archivedShown: boolean
  readonly selectedWorkspaceId: string | null
  /** The project of the empty state, where a first message makes a workspace. */
  readonly selectedProjectId: string | null
  readonly sessions: Readonly<Record<string, SessionState>>
  /** Sessions in memory, the one used last at the end; only the one on screen is followed. */
  readonly recentSessionIds: readonly string[]
  /** Null until loaded. */
  readonly models: readonly ModelInfo[] | null
  readonly providers: readonly ProviderView[] | null
  /** True when keys go to the system's keychain. */
  readonly keychain: boolean
  /** Commands and skills that a message can begin with, by project; none until loaded. */
  readonly commands: Readonly<Record<string, readonly CommandView[]>>
  readonly agents: Readonly<Record<string, readonly AgentView[]>>
  /** Files of untrusted projects that wait for the trust prompt. */
  readonly offers: Readonly<Record<string, readonly string[]>>
  readonly suggestions: ProviderSuggestions
  readonly notices: readonly NoticeEntry[]
  readonly dismissed: Readonly<Record<string, true>>
  readonly dialog: OpenDialog | null
  readonly layout: Layout
  readonly panelTab: PanelTab
  /** Null until the memory panel was opened. */
  readonly memories: MemoriesState | null
  readonly search: SearchState
  /** A row that the transcript shall go to. */
  readonly jump: Jump | null
  /** A memory that the memory panel shall open. */
  readonly memoryToOpen: { readonly workspaceId: string; readonly path: string } | null
}

/** The state before main answered. */
export function initialAppState(layout: Layout): AppState {
  return {
    start: { kind: 'starting' },
    settings: defaultSettings(),
    projects: [],
    workspaces: {},
    archivedShown: false,
    selectedWorkspaceId: null,
    selectedProjectId: null,
    sessions: {},
    recentSessionIds: [],
    models: null,
    providers: null,
    keychain: false,
    commands: {},
    agents: {},
    offers: {},
    suggestions: [],
    notices: [],
    dismissed: {},
    dialog: null,
    layout,
    panelTab: 'context',
    memories: null,
    search: NO_SEARCH,
    jump: null,
    memoryToOpen: null
  }
}
