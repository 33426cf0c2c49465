// Owns the one table of requests: name → input and output. Handlers, client and types derive from it;
// a missing handler does not compile. Nothing here assumes Electron: the same table may run over a socket.
import { z } from 'zod'
import {
  MAX_ATTACHMENT_BYTES,
  MAX_MEMORY_FILE_BYTES,
  MAX_PASTED_TEXT_BYTES,
  MAX_SEARCH_QUERY_CHARS
} from '../constants'
import { utf8Bytes } from '../rows/split-row'
import { ModelInfo } from '../models/model-info'
import { ProviderEntry, ProviderView } from '../settings/provider-schema'
import { ApprovalMode, Settings, ThinkingLevel } from '../settings/settings-schema'
import { ApprovalAnswer } from '../tools/approval'
import { CarryOverView, ContextSections } from './context-views'
import { InspectedContent, InspectedPage, InspectedPart, InspectedText, LedgerView } from './inspector-views'
import { MemoryContent, MemoryListing } from './memory-views'
import { HistorySpan, SearchPage } from './search-views'
import {
  AgentView,
  AttachmentReference,
  HistoryPage,
  Notice,
  ProjectView,
  QueueMode,
  SessionSnapshot,
  WorkspaceView
} from './views'
import { CommandView, RowEditAnswer, SendAnswer, WindowVerdict, WindowView } from './window-views'

const workspace = { workspaceId: z.string().min(1).max(100) }
/** A request to a provider, by its number in the workspace. */
const sentRequest = { ...workspace, requestSequence: z.number().int().min(0) }
const row = { rowId: z.string().min(1).max(200) }
const nothing = z.object({})
/** `/memories/SCOPE/…`; what it may be is checked where it is used. */
const memory = { ...workspace, path: z.string().min(1).max(1_000) }
/** A longer text is sent as an attachment (H-13). */
const text = z.string().refine((value) => utf8Bytes(value) <= MAX_PASTED_TEXT_BYTES, 'longer than 128 KiB')

function request<Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output
): { readonly input: Input; readonly output: Output } {
  return { input, output }
}

/** An offer of the first run: a key or a server found on this machine. */
export const ProviderSuggestion = z.object({
  entry: ProviderEntry.pick({ id: true, kind: true, name: true, baseUrl: true, apiKeyEnv: true, models: true }),
  /** Where it was found, in words. */
  found: z.string(),
  /** A model to start with. */
  modelRef: z.string().nullable()
})
export type ProviderSuggestion = z.infer<typeof ProviderSuggestion>

/** What the settings screen sends; a missing apiKey keeps the one there is. */
export const ProviderInput = ProviderEntry.omit({ apiKeyRef: true })
export type ProviderInput = z.infer<typeof ProviderInput>

export const REQUESTS = {
  'app.start': request(
    nothing,
    z.object({
      version: z.string(),
      platform: z.string(),
      homePath: z.string(),
      /** True on the older test runtime of Electron: shown as a warning. */
      runtimeFallback: z.boolean(),
      settings: Settings,
      projects: z.array(ProjectView),
      workspaces: z.array(WorkspaceView),
      notices: z.array(Notice),
      /** Opened by `--project`, or the one open last. */
      openWorkspaceId: z.string().nullable(),
      openProjectId: z.string().nullable()
    })
  ),
  'project.pick': request(nothing, z.object({ project: ProjectView.nullable() })),
  'project.open': request(z.object({ path: z.string().min(1) }), z.object({ project: ProjectView })),
  'project.trust': request(
    z.object({ projectId: z.string(), trusted: z.boolean() }),
    z.object({ project: ProjectView })
  ),
  'project.remove': request(z.object({ projectId: z.string() }), nothing),
  /** What the trust prompt lists: agents, skills and hooks that the project brings. */
  'project.offers': request(z.object({ projectId: z.string() }), z.object({ files: z.array(z.string()) })),
  'files.search': request(
    z.object({ ...workspace, query: z.string().max(200) }),
    z.object({ paths: z.array(z.string()) })
  ),
  'workspace.list': request(z.object({ archived: z.boolean() }), z.object({ workspaces: z.array(WorkspaceView) })),
  'workspace.create': request(
    z.object({ projectId: z.string(), model: z.string().optional(), agentId: z.string().optional() }),
    z.object({ workspace: WorkspaceView })
  ),
  /** Opens, recovers and subscribes: session events of this workspace follow. */
  'workspace.open': request(z.object(workspace), SessionSnapshot),
  'workspace.close': request(z.object(workspace), nothing),
  'workspace.page': request(z.object({ ...workspace, before: z.string() }), HistoryPage),
  /** A page that holds this row; from it `workspace.page` goes on to older rows, `workspace.pageAfter` to newer ones. */
  'workspace.pageAround': request(
    z.object({
      ...workspace,
      rowId: z.string().min(1).max(1_000),
      /** Tells rows with one id apart, and finds the row faster; null where the row has none. */
      sequence: z.number().int().min(0).nullable()
    }),
    HistorySpan
  ),
  /** The page around the beginning of a window; read on from it as from `workspace.pageAround`. */
  'workspace.pageAtWindow': request(z.object({ ...workspace, windowId: z.string().max(100) }), HistorySpan),
  'workspace.pageAfter': request(z.object({ ...workspace, after: z.string().max(200) }), HistorySpan),
  /** Finds a literal text, in any case, in a workspace or in all of them (null); answers as soon as there is something. */
  'history.search': request(
    z.object({
      workspaceId: z.string().min(1).max(100).nullable(),
      query: z.string().min(1).max(MAX_SEARCH_QUERY_CHARS),
      /** Of the last answer, for the same query and place; null begins anew. */
      cursor: z.string().max(400).nullable(),
      limit: z.number().int().min(1).max(200).nullish()
    }),
    SearchPage
  ),
  'workspace.update': request(
    z.object({
      ...workspace,
      title: z.string().trim().min(1).max(200).optional(),
      archived: z.boolean().optional(),
      model: z.string().optional(),
      agentId: z.string().optional(),
      approvalMode: ApprovalMode.optional(),
      thinkingLevel: ThinkingLevel.optional(),
      /** Points the workspace to a moved project. */
      projectPath: z.string().optional()
    }),
    z.object({ workspace: WorkspaceView })
  ),
  /** Moves the workspace to the system's trash where there is one, else to `trash/` in the home. */
  'workspace.delete': request(z.object(workspace), nothing),
  'workspace.export': request(
    z.object({ ...workspace, format: z.enum(['markdown', 'jsonl']) }),
    /** Null when the person cancelled the dialog. */
    z.object({ file: z.string().nullable() })
  ),
  'draft.save': request(
    z.object({
      ...workspace,
      text: z.string().max(1_000_000),
      /** Files that were added and not sent yet; missing leaves the saved ones as they are. */
      attachments: z.array(AttachmentReference).max(50).optional()
    }),
    nothing
  ),
  'turn.send': request(
    z.object({
      ...workspace,
      text,
      attachments: z.array(AttachmentReference).max(50),
      mode: QueueMode,
      experiments: z.record(z.string(), z.boolean()).optional(),
      /** The person agreed to what the text cuts (`/clear`). */
      confirmed: z.boolean().optional()
    }),
    SendAnswer
  ),
  'turn.interrupt': request(z.object(workspace), nothing),
  /** Sends the last turn's input again after a failure. */
  'turn.retry': request(z.object(workspace), nothing),
  'queue.edit': request(z.object({ ...workspace, entryId: z.string(), text, mode: QueueMode.optional() }), nothing),
  'queue.remove': request(z.object({ ...workspace, entryId: z.string() }), nothing),
  'queue.move': request(z.object({ ...workspace, entryId: z.string(), toIndex: z.number().int().min(0) }), nothing),
  /** Sends a held entry, or this entry now. */
  'queue.send': request(z.object({ ...workspace, entryId: z.string() }), nothing),
  'approval.answer': request(z.object({ ...workspace, approvalId: z.string(), answer: ApprovalAnswer }), nothing),
  'question.answer': request(
    z.object({ ...workspace, questionId: z.string(), answer: z.string().max(10_000).nullable() }),
    nothing
  ),
  'row.raw': request(z.object({ ...workspace, rowId: z.string() }), z.object({ json: z.string() })),
  /** Cuts a message of the person and all after it, then sends this text; missing attachments are those it had. */
  'row.edit': request(
    z.object({
      ...workspace,
      ...row,
      text,
      attachments: z.array(AttachmentReference).max(50).optional(),
      /** The person agreed to lose sight of later windows. */
      confirmed: z.boolean().optional()
    }),
    RowEditAnswer
  ),
  /** Cuts one row; it is kept in cut-rows.jsonl. */
  'row.delete': request(z.object({ ...workspace, ...row }), nothing),
  /**
   * A new workspace with everything up to a row, with it or without it; null takes everything. Without it, a message
   * of the person becomes the new workspace's draft. Allowed while a turn runs.
   */
  'row.fork': request(
    z.object({ ...workspace, rowId: z.string().min(1).max(200).nullable(), inclusive: z.boolean().default(true) }),
    z.object({ workspace: WorkspaceView })
  ),
  /** Empties the conversation; `soft` only begins a fresh window. Answers the rows that were cut. */
  'history.clear': request(z.object({ ...workspace, soft: z.boolean() }), z.object({ rows: z.number() })),
  /** Every window, oldest first; no row is read for it. */
  'windows.list': request(z.object(workspace), z.object({ windows: z.array(WindowView) })),
  /** Without `again` a sealed window whose file is untouched since it was read last is not read. */
  'window.verify': request(
    z.object({ ...workspace, windowId: z.string().max(100), again: z.boolean().default(true) }),
    WindowVerdict
  ),
  /** What the next request would hold, counted by section: a moment's work, asked only where a person looks. */
  'context.sections': request(z.object(workspace), ContextSections),
  /** What a compaction would carry over now; files are looked at, so it is asked only where a person looks. */
  'context.carryOver': request(z.object(workspace), CarryOverView),
  /** Moves one switch of those, or the one for all (null); it counts from the next compaction on. */
  'context.setCarryOver': request(
    z.object({ ...workspace, itemId: z.string().min(1).max(5_000).nullable(), isOn: z.boolean() }),
    CarryOverView
  ),
  /** Requests that were sent to providers, of one window or of all (null), newest first. */
  'inspector.requests': request(
    z.object({
      ...workspace,
      windowId: z.string().max(100).nullable(),
      /** Those before this sequence; null begins at the newest. */
      before: z.number().int().min(0).nullable(),
      limit: z.number().int().min(1).max(200).default(100)
    }),
    InspectedPage
  ),
  /** One of them, built again from the files. */
  'inspector.request': request(
    z.object({ ...sentRequest, fromMessage: z.number().int().min(0).default(0) }),
    InspectedContent
  ),
  'inspector.text': request(
    z.object({ ...sentRequest, piece: InspectedPart, offset: z.number().int().min(0) }),
    InspectedText
  ),
  /** The pieces in which a text stands, taken literally, in any case. */
  'inspector.find': request(
    z.object({ ...sentRequest, query: z.string().min(1).max(MAX_SEARCH_QUERY_CHARS) }),
    z.object({ pieces: z.array(InspectedPart) })
  ),
  /** What each window took and cost; the first time every row is read for it. */
  'inspector.ledger': request(z.object(workspace), LedgerView),
  /** What can be typed in place of a message, or at its beginning: commands, and skills in force in a project. */
  'commands.list': request(
    z.object({ projectId: z.string().nullable() }),
    z.object({ commands: z.array(CommandView) })
  ),
  'attachment.add': request(
    z.object({
      ...workspace,
      filename: z.string().max(255),
      mediaType: z.string().max(100),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= MAX_ATTACHMENT_BYTES)
    }),
    z.object({ attachment: AttachmentReference })
  ),
  'attachment.read': request(
    z.object({ ...workspace, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    z.object({ bytes: z.custom<Uint8Array>() })
  ),
  /** A slice of a spilled value, as text. */
  'spill.read': request(
    z.object({ ...workspace, spillId: z.string().max(100), offset: z.number().int().min(0) }),
    z.object({ text: z.string(), nextOffset: z.number().nullable(), totalBytes: z.number() })
  ),
  /** Every memory that the workspace sees, and what of it the window in force was given. */
  'memory.list': request(z.object(workspace), MemoryListing),
  'memory.read': request(z.object(memory), MemoryContent),
  /** A person's change, allowed also where agents may not write. */
  'memory.write': request(
    z.object({
      ...memory,
      text: z.string().max(MAX_MEMORY_FILE_BYTES),
      /** What `memory.read` gave; null makes a new memory, and fails where there is one. */
      version: z.string().max(64).nullable()
    }),
    MemoryContent
  ),
  /** Moves a memory, or a folder of them, into the trash of its scope; `keptAt` is where on disk. */
  'memory.delete': request(z.object(memory), z.object({ keptAt: z.string() })),
  'memory.pin': request(z.object({ ...memory, pinned: z.boolean() }), nothing),
  'settings.set': request(
    z.object({ path: z.string().max(200), value: z.unknown() }),
    z.object({ settings: Settings })
  ),
  'providers.list': request(nothing, z.object({ providers: z.array(ProviderView), keychain: z.boolean() })),
  'providers.save': request(z.object({ provider: ProviderInput }), z.object({ provider: ProviderView })),
  'providers.remove': request(z.object({ providerId: z.string() }), nothing),
  'providers.test': request(
    z.object({ providerId: z.string(), modelId: z.string().optional() }),
    z.object({ works: z.boolean(), message: z.string() })
  ),
  'providers.detect': request(nothing, z.object({ suggestions: z.array(ProviderSuggestion) })),
  'models.list': request(nothing, z.object({ models: z.array(ModelInfo) })),
  'agents.list': request(
    z.object({ projectId: z.string().nullable() }),
    z.object({ agents: z.array(AgentView), problems: z.array(z.string()) })
  ),
  'shell.open-link': request(z.object({ url: z.string().max(4_000) }), nothing),
  'shell.reveal': request(z.object({ ...workspace, path: z.string() }), nothing),
  /** The first row is painted: for start-up measurements. */
  'shell.painted': request(z.object({ sinceStartMs: z.number() }), nothing)
} as const

export type RequestName = keyof typeof REQUESTS
export type RequestInput<Name extends RequestName> = z.input<(typeof REQUESTS)[Name]['input']>
export type ParsedInput<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]['input']>
export type RequestOutput<Name extends RequestName> = z.output<(typeof REQUESTS)[Name]['output']>

/** True for a name of the table; narrows an untrusted string. */
export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(REQUESTS, name)
}
