// Owns the one event union from main to whoever watches: the window, the command line, a test.
// Events are facts, noun first. Within a workspace they carry rising sequence numbers; a gap makes a
// reader take a new snapshot. Names and fields that the command line pins (60) are never renamed.
import { z } from 'zod'
import { Row, RowPart, TokenUsage, ToolState } from '../rows/row-schema'
import { ApprovalRequest, QuestionRequest } from '../tools/approval'
import { TodoItem } from '../tools/tool-contracts'
import { Settings } from '../settings/settings-schema'
import { Notice, ProjectView, QueueEntry, SessionStatus, TurnOutcome, UsageView, WorkspaceView } from './views'

export const SessionEvent = z.discriminatedUnion('type', [
  /** A row is durable. It replaces the live row of the same id. */
  z.object({ type: z.literal('row-appended'), row: Row }),
  /** A stored row changed (H-14). */
  z.object({ type: z.literal('row-updated'), row: Row }),
  /** An assistant row begins to stream; it is not yet in the history. */
  z.object({ type: z.literal('live-started'), row: Row }),
  /** The live row ended without becoming a row: nothing had been said. */
  z.object({ type: z.literal('live-dropped'), rowId: z.string() }),
  z.object({ type: z.literal('text-delta'), rowId: z.string(), partIndex: z.number(), text: z.string() }),
  z.object({ type: z.literal('reasoning-delta'), rowId: z.string(), partIndex: z.number(), text: z.string() }),
  /** Part `partIndex` of the live row is now this; an index equal to the length adds it. */
  z.object({ type: z.literal('part-set'), rowId: z.string(), partIndex: z.number(), part: RowPart }),
  /** Live output of a running tool; for the screen, never stored. */
  z.object({ type: z.literal('tool-output'), rowId: z.string(), toolCallId: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool-settled'),
    rowId: z.string(),
    toolCallId: z.string(),
    toolName: z.string(),
    state: ToolState
  }),
  z.object({
    type: z.literal('usage'),
    requestSequence: z.number(),
    usage: TokenUsage,
    contextTokens: z.number(),
    maxTokens: z.number().nullable(),
    view: UsageView
  }),
  z.object({
    type: z.literal('budget'),
    decision: z.enum(['warn', 'rollover', 'compact', 'block']),
    projected: z.number(),
    hardCeiling: z.number()
  }),
  z.object({ type: z.literal('queue-changed'), queue: z.array(QueueEntry) }),
  z.object({ type: z.literal('status-changed'), status: SessionStatus }),
  z.object({ type: z.literal('approvals-changed'), approvals: z.array(ApprovalRequest) }),
  z.object({ type: z.literal('questions-changed'), questions: z.array(QuestionRequest) }),
  z.object({ type: z.literal('todo-changed'), todo: z.array(TodoItem) }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  /** The history was rewritten (an edit, another process): take a new snapshot. */
  z.object({ type: z.literal('history-rewritten') }),
  z.object({
    type: z.literal('turn-ended'),
    outcome: TurnOutcome,
    reason: z.string().nullable(),
    message: z.string().nullable(),
    workspaceId: z.string(),
    windowId: z.string(),
    /** Provider requests that the turn made. */
    requests: z.number(),
    /** The work goes on by itself: the next turn follows without the person. */
    continues: z.boolean()
  })
])
export type SessionEvent = z.infer<typeof SessionEvent>

/** Events of the app as a whole. */
export const AppEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('workspace-changed'), workspace: WorkspaceView }),
  z.object({ type: z.literal('workspace-removed'), workspaceId: z.string() }),
  z.object({ type: z.literal('projects-changed'), projects: z.array(ProjectView) }),
  z.object({ type: z.literal('settings-changed'), settings: Settings }),
  z.object({ type: z.literal('providers-changed') }),
  z.object({ type: z.literal('notice'), notice: Notice }),
  /** The shell asks the window to do something: a menu item, a second instance. */
  z.object({ type: z.literal('shell-command'), command: z.string(), argument: z.string().nullable() })
])
export type AppEvent = z.infer<typeof AppEvent>

/** What crosses to a watcher: events of one workspace in order, or of the app (no numbering needed). */
export const EventBatch = z.discriminatedUnion('channel', [
  z.object({
    channel: z.literal('session'),
    workspaceId: z.string(),
    /** Sequence of the first event; the others follow without a gap. */
    firstSequence: z.number(),
    events: z.array(SessionEvent)
  }),
  z.object({ channel: z.literal('app'), events: z.array(AppEvent) })
])
export type EventBatch = z.infer<typeof EventBatch>
