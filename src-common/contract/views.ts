// Owns what main shows the renderer of its state: plain values, no handles, no secrets.
import { z } from 'zod'
import { Agent } from '../agents/agent-schema'
import { TokenUsage } from '../rows/row-schema'
import type { Row } from '../rows/row-schema'
import { ApprovalMode, ProjectEntry, ThinkingLevel } from '../settings/settings-schema'
import { ApprovalRequest, QuestionRequest } from '../tools/approval'
import { TodoItem } from '../tools/tool-contracts'
import { ProviderFailure } from '../models/provider-failure'

export const SessionPhase = z.enum(['idle', 'preparing', 'streaming', 'settling'])
export type SessionPhase = z.infer<typeof SessionPhase>

/** A workspace as the sidebar and the header show it. */
export const WorkspaceView = z.object({
  workspaceId: z.string(),
  title: z.string(),
  projectId: z.string(),
  projectPath: z.string(),
  /** False when the folder is gone or cannot be read. */
  projectReadable: z.boolean(),
  model: z.string(),
  agentId: z.string(),
  approvalMode: ApprovalMode,
  thinkingLevel: ThinkingLevel,
  archived: z.boolean(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  rows: z.number(),
  costUsd: z.number(),
  /** True when some requests ran on a model whose price is not known. */
  costIncomplete: z.boolean(),
  phase: SessionPhase,
  /** Something waits for the person: an approval or a question. */
  waiting: z.boolean(),
  unread: z.boolean()
})
export type WorkspaceView = z.infer<typeof WorkspaceView>

export const ProjectView = ProjectEntry.extend({ readable: z.boolean() })
export type ProjectView = z.infer<typeof ProjectView>

/** Something a person must know once: damage found, a broken file, a failed side effect. */
export const Notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  /** One sentence: what happened, to what, what to do. */
  message: z.string(),
  atMs: z.number()
})
export type Notice = z.infer<typeof Notice>

export const QueueMode = z.enum(['tool-end', 'turn-end'])
export type QueueMode = z.infer<typeof QueueMode>

export const AttachmentReference = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mediaType: z.string(),
  filename: z.string(),
  bytes: z.number()
})
export type AttachmentReference = z.infer<typeof AttachmentReference>

export const QueueEntry = z.object({
  id: z.string(),
  text: z.string(),
  attachments: z.array(AttachmentReference),
  mode: QueueMode,
  source: z.enum(['person', 'machine']),
  /** What a machine entry asks for: the rest of the answer that stopped for the budget (M-3). */
  machine: z.literal('continue').optional(),
  /** What this send says of experiments, over the settings (G-1). */
  experiments: z.record(z.string(), z.boolean()).optional(),
  /** Came back after a restart: shown and editable, sent only by the person. */
  held: z.boolean(),
  queuedAtMs: z.number()
})
export type QueueEntry = z.infer<typeof QueueEntry>

export const TurnOutcome = z.enum(['completed', 'interrupted', 'failed', 'context_budget_blocked'])
export type TurnOutcome = z.infer<typeof TurnOutcome>

export const SessionStatus = z.object({
  phase: SessionPhase,
  turnStartedAtMs: z.number().nullable(),
  /** A provider attempt failed and the next one waits. */
  retry: z.object({ attempt: z.number(), retryAtMs: z.number(), failure: ProviderFailure }).nullable(),
  /** How the last turn ended when not by itself; cleared by the next send. */
  lastProblem: z
    .object({
      outcome: TurnOutcome,
      reason: z.string().nullable(),
      message: z.string()
    })
    .nullable()
})
export type SessionStatus = z.infer<typeof SessionStatus>

/** What the meter shows. Every number is in tokens. */
export const UsageView = z.object({
  windowId: z.string(),
  model: z.string(),
  contextTokens: z.number(),
  /** The model's context limit; null when unknown. */
  maxTokens: z.number().nullable(),
  hardCeiling: z.number().nullable(),
  /** Where the window is handled by itself; null with automatic handling off or an unknown limit. */
  rolloverPoint: z.number().nullable(),
  warningPoint: z.number().nullable(),
  /** What happens at the end of the window. */
  atEnd: z.enum(['rolls over', 'compacts', 'stops']),
  /** True when the figure rests on an estimate and not on the provider's last count alone. */
  estimated: z.boolean(),
  lastUsage: TokenUsage.nullable()
})
export type UsageView = z.infer<typeof UsageView>

/** A page of history: raw JSONL, oldest first, so that no row is parsed in main only to be shipped. */
export const HistoryPage = z.object({
  lines: z.string(),
  /** Opaque; null when the start of the history is reached. */
  before: z.string().nullable(),
  /** Lines passed over because they do not parse or are too long. */
  skippedLines: z.number()
})
export type HistoryPage = z.infer<typeof HistoryPage>

export const SessionSnapshot = z.object({
  workspace: WorkspaceView,
  /** Sequence of the last event that this snapshot holds. */
  sequence: z.number(),
  page: HistoryPage,
  /** Sequences of the rows that begin windows, ascending; 0 for what came before the first boundary. */
  windowStarts: z.array(z.number()),
  live: z.custom<Row>().nullable(),
  /** Live output of running tools, by tool call. */
  toolOutputs: z.record(z.string(), z.string()),
  status: SessionStatus,
  queue: z.array(QueueEntry),
  approvals: z.array(ApprovalRequest),
  questions: z.array(QuestionRequest),
  todo: z.array(TodoItem),
  usage: UsageView.nullable(),
  draft: z.string(),
  /** Files of the draft; missing where none are kept. */
  draftAttachments: z.array(AttachmentReference).optional(),
  notices: z.array(Notice)
})
export type SessionSnapshot = z.infer<typeof SessionSnapshot>

export const AgentView = Agent.pick({ id: true, name: true, description: true, source: true, model: true })
export type AgentView = z.infer<typeof AgentView>
