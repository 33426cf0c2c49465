// Owns what a turn works with: live handles and seams, handed in by the session. Decides nothing.
import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { Clock } from '@common/clock'
import type { SessionEvent } from '@common/contract/events'
import type { TurnOutcome } from '@common/contract/views'
import type { ModelInfo, ModelPrice } from '@common/models/model-info'
import type { ProviderFailure } from '@common/models/provider-failure'
import type { NewRow, PostCompactionContext, Row, SpillReference, ToolPart } from '@common/rows/row-schema'
import type { SkillPointer } from '@common/rows/skill-pointer'
import type { BudgetPoints } from '@common/budget/budget-points'
import type { ContextStrategy, Recovery } from '../context/context-strategy'
import type { TurnSettings } from '../context/prepare-request'
import type { RequestEnding, RequestLog } from '../context/request-log'
import type { SentRequest } from '../context/request-log-envelope'
import type { DamageReport } from '../history/damage-report'
import type { HistoryStore } from '../history/history-store'
import type { PartialWriter } from '../history/partial-writer'
import type { BudgetLatch } from './budget-latch'
import type { ModelRoute } from './model-route'
import type { FreshSystem } from './window-system'

/** The outcome of one tool call, as it is stored. */
export type SettledCall = Pick<
  ToolPart,
  'state' | 'input' | 'output' | 'errorText' | 'inputSpill' | 'outputSpill' | 'seen' | 'durationMs'
>

export interface CalledTool {
  readonly settled: SettledCall
  /** Paths of the project that the call went to, with forward slashes. */
  readonly touched: readonly string[]
}

export interface TurnContext {
  readonly workspaceId: string
  readonly agentId: string
  readonly history: HistoryStore
  readonly partial: PartialWriter
  readonly strategy: ContextStrategy
  readonly clock: Clock
  /** Ends the turn when the person stops it, the app quits or the session closes. */
  readonly abortSignal: AbortSignal
  readonly settings: TurnSettings
  readonly info: ModelInfo
  readonly modelRef: string
  /** The provider's name as the person knows it. */
  readonly providerName: string
  /** Null for an unknown limit. */
  readonly points: BudgetPoints | null
  /** Figures of requests before this one do not count: rows were cut since. */
  readonly measuredFrom: number
  readonly mayWriteNotes: boolean
  readonly latch: BudgetLatch
  /** What goes before this input: snapshots of the files that it mentions, a notice of those that changed (O-4, P-6). */
  companyOf(input: NewRow | null, windowRows: readonly Row[]): Promise<NewRow[]>
  /** What a compaction of these rows carries over (K-1); null for nothing, and where it takes too long. */
  carryOver(windowRows: readonly Row[]): Promise<PostCompactionContext | null>
  /** What a window begun now would be given; nothing of the present one changes. */
  freshSystem(): Promise<FreshSystem>
  /** Can the agent read back what a rollover would seal (G-3)? */
  recovery(): Promise<Recovery>
  /** Clears what belongs to the window in force alone. Before the append; doing it twice changes nothing. */
  resetContext(): void
  /** Tells the person something that is worth one telling. */
  tellOnce(message: string): void
  newId(): string
  publish(event: SessionEvent): void
  /** The sequence that the next attempt will have, unless another one comes before it. */
  upcomingRequestSequence(): number
  /** The turn's model with our retries; told of each attempt, since each is a request of its own (V-1). */
  model(onAttempt: (requestSequence: number) => void): LanguageModelV3
  /** The log of requests (V-1). What cannot be written there is told once and stops nothing. */
  readonly requestLog: {
    /** Before the first attempt of a request. */
    keepParts: RequestLog['keepParts']
    /** Before each attempt goes out. */
    attempt(sent: SentRequest): void
    /** Once it is known how an attempt ended. */
    settled(requestSequence: number, ending: RequestEnding): void
  }
  classify(error: unknown): ProviderFailure
  /** The next model of the list that can be used (T-5); null when there is none left. */
  nextRoute(): Promise<ModelRoute | null>
  /** Null where it is not known. */
  priceOf(modelRef: string): ModelPrice | null
  /** A result as a row may hold it, and where the whole is kept when it was too long. */
  capResult(result: unknown): Promise<{ kept: unknown; spill?: SpillReference }>
  callTool(call: ToolPart, rowId: string): Promise<CalledTool>
  /** The skills in force that a call to these paths points out, once a window (O-5). */
  pointOutSkills(touched: readonly string[], windowRows: () => readonly Row[]): SkillPointer[]
  /** Keeps bytes that a model made (an image); answers the attachment's url. */
  keepFile(bytes: Uint8Array, mediaType: string): Promise<string>
  /** True when an entry of the queue waits for the next settled step (T-2). */
  queueWantsStepEnd(): boolean
  /** Told what a reader of the window found damaged (H-3). */
  onDamage(report: DamageReport): void
  /** Told when the first request goes out. */
  onStreaming(): void
  /** Drops what waits in the queue although it stands in these rows: its append was said to have failed, and did not. */
  deliverStored(rows: readonly Row[]): Promise<void>
  /** Bars changes of the input's queue entry, right before it is stored; says what the person made of it meanwhile. */
  admitInput(input: NewRow): Promise<AdmittedInput>
  /** Told once the input's row is durable: its queue entry may go. */
  inputStored(rowId: string): Promise<void>
}

/** What a queue entry is at the moment of its admission (T-2). */
export type AdmittedInput =
  /** As it was; `release` lets it be changed again where it was not stored. */
  | { readonly kind: 'same'; release(): void }
  /** The person changed it; nothing is barred. */
  | { readonly kind: 'changed'; readonly input: NewRow }
  /** The person took it back, or another process sent it. */
  | { readonly kind: 'withdrawn' }

/** How a turn ended; the last thing that it says. */
export interface TurnEnd {
  readonly outcome: TurnOutcome
  readonly reason: string | null
  readonly message: string | null
  readonly windowId: string
  /** Provider requests made. */
  readonly requests: number
}

/** What a turn is asked to do: a new input, or to go on from the rows that are there (a retry). */
export interface TurnRequest {
  readonly input: NewRow | null
}
