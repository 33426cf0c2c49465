// Owns the plausible world behind the fake bridge: what a machine with two projects looks like.
import type { CarryOverView, ContextSections } from '@common/contract/context-views'
import type { ProviderSuggestion } from '@common/contract/requests'
import type { AgentView, Notice, ProjectView, SessionSnapshot, WorkspaceView } from '@common/contract/views'
import type { RequestFailure } from '@common/contract/bridge'
import type { RequestName } from '@common/contract/requests'
import type { ModelInfo } from '@common/models/model-info'
import type { Row } from '@common/rows/row-schema'
import type { ProviderView } from '@common/settings/provider-schema'
import { defaultSettings, type Settings } from '@common/settings/settings-schema'
import { fakeInspector, type FakeInspector } from './fake-inspector'
import { fakeMemory, type FakeMemory } from './fake-memories'
import { STORY_NOW_MS, workspaceView } from './session-builders'

/** What a workspace holds before the story begins. */
export interface SessionSeed {
  readonly rows?: readonly Row[]
  readonly snapshot?: Partial<Omit<SessionSnapshot, 'workspace' | 'page' | 'sequence'>>
}

export interface FakeWorld {
  platform: string
  homePath: string
  runtimeFallback: boolean
  settings: Settings
  projects: ProjectView[]
  workspaces: WorkspaceView[]
  notices: Notice[]
  openWorkspaceId: string | null
  openProjectId: string | null
  models: ModelInfo[]
  providers: ProviderView[]
  keychain: boolean
  suggestions: ProviderSuggestion[]
  agents: AgentView[]
  /** Skills in force, in every project. */
  skills: { readonly name: string; readonly description: string }[]
  offers: string[]
  files: string[]
  /** By path. */
  memories: FakeMemory[]
  sessions: Record<string, SessionSeed>
  /** What windows hold, by workspace. */
  sections: Record<string, ContextSections>
  /** What was sent, in every workspace. */
  inspector: FakeInspector
  /** What a compaction would carry over, by workspace. */
  carryOver: Record<string, CarryOverView>
  /** The folder that the system's dialog gives; null when the person cancels it. */
  pickedPath: string | null
  /** Requests that fail, and how. */
  failures: Partial<Record<RequestName, RequestFailure>>
  /** Time between two steps of a scripted answer. */
  stepDelayMs: number
}

/** A window in which nothing was said. */
export const NO_SECTIONS: ContextSections = {
  windowId: 'w:0',
  model: 'demo:tide-1',
  sections: { system: 412, memories: 0, notes: 0, tools: 3_184, messages: 0, toolResults: 0, files: 0 },
  tokens: 3_596,
  estimated: false,
  outputReserve: 2_000
}

export function project(changes: Partial<ProjectView> = {}): ProjectView {
  return {
    id: 'p-1',
    path: '/home/ada/code/tidemark',
    name: 'tidemark',
    trusted: true,
    addedAtMs: STORY_NOW_MS - 9e8,
    readable: true,
    ...changes
  }
}

export function model(ref: string, changes: Partial<ModelInfo> = {}): ModelInfo {
  const [providerId = '', modelId = ''] = ref.split(':')
  return {
    ref,
    providerId,
    modelId,
    name: modelId,
    contextLimit: 200_000,
    maxOutputTokens: 32_000,
    price: null,
    encoding: 'o200k_base',
    encodingEstimated: false,
    vision: true,
    thinkingLevels: ['off', 'low', 'medium', 'high'],
    fallbacks: [],
    available: true,
    ...changes
  }
}

export function provider(id: string, changes: Partial<ProviderView> = {}): ProviderView {
  return {
    id,
    kind: 'openai-compatible',
    name: id,
    baseUrl: null,
    keySource: 'none',
    keyEnv: null,
    headerNames: [],
    models: [],
    builtIn: false,
    ...changes
  }
}

export const DEMO_MODEL: ModelInfo = model('demo:tide-1', {
  name: 'Tide 1',
  contextLimit: 24_000,
  maxOutputTokens: 2_000,
  vision: false,
  thinkingLevels: []
})

const AGENTS: AgentView[] = [
  { id: 'exec', name: 'Exec', description: 'Reads, writes and runs commands.', source: 'built-in', model: null },
  {
    id: 'plan',
    name: 'Plan',
    description: 'Reads and plans; writes only the plan file.',
    source: 'built-in',
    model: null
  },
  { id: 'explore', name: 'Explore', description: 'Reads only.', source: 'built-in', model: null }
]

/** A machine where Tidemark was just installed. */
export function freshWorld(): FakeWorld {
  return {
    platform: 'linux',
    homePath: '/home/ada/.tidemark',
    runtimeFallback: false,
    settings: defaultSettings(),
    projects: [],
    workspaces: [],
    memories: [],
    notices: [],
    openWorkspaceId: null,
    openProjectId: null,
    models: [DEMO_MODEL],
    providers: [provider('demo', { kind: 'demo', name: 'Demo', keySource: 'not-needed', builtIn: true })],
    keychain: true,
    suggestions: [],
    agents: AGENTS,
    skills: [],
    offers: [],
    files: ['README.md', 'package.json', 'src/app.ts', 'src/history/append-rows.ts', 'src/history/append-receipt.ts'],
    sessions: {},
    sections: {},
    inspector: fakeInspector(),
    carryOver: {},
    pickedPath: '/home/ada/code/tidemark',
    failures: {},
    stepDelayMs: 0
  }
}

/** A machine in daily use: two projects, several workspaces, real models beside the demo one. */
export function dailyWorld(): FakeWorld {
  const web = project({ id: 'p-2', name: 'website', path: '/home/ada/code/website' })
  return {
    ...freshWorld(),
    projects: [project(), web],
    memories: [
      fakeMemory('/memories/global/style.md', '- British spelling\n- no emoji in commits\n', {
        pinned: true,
        preloaded: true
      }),
      fakeMemory('/memories/project/testing.md', '# Tests\n\nRun `npm test`; it builds the command line first.\n', {
        accessCount: 7,
        lastAccessedAtMs: STORY_NOW_MS - 3_600_000,
        preloaded: true
      }),
      fakeMemory('/memories/project/release-log.md', 'Release notes of every version.\n', {
        bytes: 31_204,
        accessCount: 2,
        lastAccessedAtMs: STORY_NOW_MS - 9e8,
        skipped: 'too-long'
      }),
      fakeMemory('/memories/workspace/context-notes.md', '- retries: inner loop stays\n')
    ],
    workspaces: [
      workspaceView({ rows: 2, model: 'anthropic:claude-sonnet-4-5', costUsd: 0.41 }),
      workspaceView({ workspaceId: 'ws-2', title: 'Docs pass', phase: 'streaming', updatedAtMs: STORY_NOW_MS - 5_000 }),
      workspaceView({
        workspaceId: 'ws-3',
        title: 'Why does the scanner read twice at the end of a window?',
        unread: true
      }),
      workspaceView({ workspaceId: 'ws-4', title: 'Rename the budget events', waiting: true, phase: 'streaming' }),
      workspaceView({ workspaceId: 'ws-5', title: 'Landing page copy', projectId: 'p-2', projectPath: web.path })
    ],
    openWorkspaceId: 'ws-1',
    models: [
      DEMO_MODEL,
      model('anthropic:claude-sonnet-4-5', { name: 'Claude Sonnet 4.5' }),
      model('anthropic:claude-opus-4-5', { name: 'Claude Opus 4.5' }),
      model('openai:gpt-5', { name: 'GPT-5', contextLimit: 400_000, available: false }),
      model('ollama:qwen3:8b', {
        name: 'qwen3:8b',
        contextLimit: null,
        maxOutputTokens: null,
        vision: false,
        thinkingLevels: []
      })
    ],
    providers: [
      provider('demo', { kind: 'demo', name: 'Demo', keySource: 'not-needed', builtIn: true }),
      provider('anthropic', { kind: 'anthropic', name: 'Anthropic', keySource: 'keychain' }),
      provider('openai', { kind: 'openai', name: 'OpenAI' }),
      provider('ollama', {
        name: 'Ollama',
        baseUrl: 'http://127.0.0.1:11434/v1',
        keySource: 'not-needed',
        models: [{ id: 'qwen3:8b', contextLimit: 40_960 }]
      })
    ]
  }
}
