// Owns the one way to a provider: rows and a turn's settings in, a complete request or a rejection out.
// Sends, stores and publishes nothing; what reaches a request is in history, so it can be built again.
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions
} from '@ai-sdk/provider'
import { hardCeilingOf, maxOutputFor } from '@common/budget/budget-points'
import type { ModelLimits } from '@common/budget/budget-points'
import { type RequestKind, rowsForProvider } from '@common/rows/boundaries'
import type { Row } from '@common/rows/row-schema'
import { advertisedTools } from './advertised-tools'
import { withCacheMarks } from './cache-breakpoints'
import { convertRows, convertRowsWithSources, type SourcedMessage } from './convert-rows'
import type { LoadAttachment } from './convert-input'
import { withResultsAsAsked } from './cut-results'
import { requestBytesUpperBound } from './count-request'
import { tokensInWords } from './tokens-in-words'
import { ValueCache } from './value-cache'

/** What a turn fixes for all its requests. */
export interface TurnSettings {
  /** PROVIDER_ID:MODEL_ID of the attempt. */
  readonly modelRef: string
  readonly limits: ModelLimits
  readonly providerOptions: SharedV3ProviderOptions
  readonly supportsCacheMarks: boolean
  /** Frozen with the window (W-0). */
  readonly systemText: string
  readonly tools: readonly LanguageModelV3FunctionTool[]
  /** Advertised from the step on in which a call of the window activated them (P-4). */
  readonly deferredTools: readonly LanguageModelV3FunctionTool[]
  readonly loadAttachment: LoadAttachment
  /** Counts the assembled request exactly; asked only where bytes alone do not settle it. */
  countTokens(prompt: LanguageModelV3Prompt, tools: readonly LanguageModelV3FunctionTool[]): Promise<RequestCount>
}

/** What a prompt rests on, besides its rows. */
export interface PromptSettings extends Pick<TurnSettings, 'modelRef' | 'systemText' | 'loadAttachment'> {
  readonly kind?: RequestKind
  /** Sequence of a request that is built again (K-4); none for the next one. */
  readonly atRequest?: number
}

export type RequestCount =
  | { readonly kind: 'counted'; readonly tokens: number }
  | { readonly kind: 'failed'; readonly message: string }

export interface PreparedRequest {
  readonly kind: 'prepared'
  readonly purpose: RequestKind
  /** Provider-neutral, system first, without cache marks: what is hashed and compared. */
  readonly prompt: LanguageModelV3Prompt
  /** Advertised with it, without cache marks. */
  readonly tools: readonly LanguageModelV3FunctionTool[]
  /** PROVIDER_ID:MODEL_ID that reads it. */
  readonly modelRef: string
  /** What the model is called with; the caller adds the abort signal. */
  readonly callOptions: LanguageModelV3CallOptions
  /** Tokens of the request at most; `counted` when a tokenizer said so, else an upper bound by bytes. */
  readonly tokensAtMost: number
  readonly counted: boolean
}

export interface RequestRejection {
  readonly kind: 'rejected'
  readonly reason: 'too_large' | 'uncountable'
  readonly modelRef: string
  readonly estimate: number | null
  readonly hardCeiling: number | null
  /** One sentence; the caller adds what to do. */
  readonly message: string
}

const systemMessages = new ValueCache<LanguageModelV3Message>()

/**
 * Builds the request that these window rows give on this turn's model, and checks it against the hard
 * ceiling (P-3). A token is at least a byte, so a request whose bytes fit needs no tokenizer.
 */
export async function prepareRequest(
  windowRows: readonly Row[],
  turn: TurnSettings,
  purpose: RequestKind = 'turn'
): Promise<PreparedRequest | RequestRejection> {
  const prompt = await buildPrompt(windowRows, purpose === 'turn' ? turn : { ...turn, kind: purpose })
  const tools = advertisedTools(turn, windowRows)
  const size = await sizeOf(prompt, { ...turn, tools })
  if (size.kind === 'rejected') return size
  const marked = turn.supportsCacheMarks ? withCacheMarks(prompt, tools) : { messages: prompt, tools }
  const maxOutputTokens = maxOutputFor(turn.limits, size.tokensAtMost)
  return {
    kind: 'prepared',
    purpose,
    prompt,
    tools,
    modelRef: turn.modelRef,
    tokensAtMost: size.tokensAtMost,
    counted: size.counted,
    callOptions: {
      prompt: marked.messages,
      ...(marked.tools.length === 0 ? {} : { tools: [...marked.tools], toolChoice: toolChoiceOf(purpose, turn) }),
      ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
      providerOptions: turn.providerOptions
    }
  }
}

/**
 * The prompt that these window rows give, system first, without cache marks. It rests on the rows, the system text, the
 * attachments and the model's reference alone, so that a request can be built again later (V-2).
 */
export async function buildPrompt(windowRows: readonly Row[], turn: PromptSettings): Promise<LanguageModelV3Prompt> {
  const messages = await convertRows(sentRows(windowRows, turn), turn)
  return [systemMessageOf(turn), ...messages]
}

/** The messages behind the system text of the very same prompt, each with the rows that it was made from (V-3). */
export function buildMessages(windowRows: readonly Row[], turn: PromptSettings): Promise<SourcedMessage[]> {
  return convertRowsWithSources(sentRows(windowRows, turn), turn)
}

function sentRows(windowRows: readonly Row[], { kind }: PromptSettings): readonly Row[] {
  const rows = rowsForProvider(windowRows, kind)
  return kind === 'compaction' ? withResultsAsAsked(rows) : rows
}

/**
 * A summary keeps the tools, so that its prefix is that of the turns before it, and calls none. Where another choice
 * would change what the provider's cache goes by (Anthropic), the choice stays too; a call is denied then.
 */
function toolChoiceOf(purpose: RequestKind, { supportsCacheMarks }: TurnSettings): { type: 'auto' | 'none' } {
  return { type: purpose === 'compaction' && !supportsCacheMarks ? 'none' : 'auto' }
}

/** The same object for all requests of a turn, so that it is measured once. */
function systemMessageOf(turn: PromptSettings): LanguageModelV3Message {
  return systemMessages.findOrMake(turn, [turn.systemText], () => ({ role: 'system', content: turn.systemText }))
}

type Size = { readonly kind: 'fits'; readonly tokensAtMost: number; readonly counted: boolean } | RequestRejection

async function sizeOf(prompt: LanguageModelV3Prompt, turn: TurnSettings): Promise<Size> {
  const bytes = requestBytesUpperBound(prompt, turn.tools)
  const hardCeiling = hardCeilingOf(turn.limits)
  if (hardCeiling === null || turn.limits.contextLimit === null) {
    return { kind: 'fits', tokensAtMost: bytes, counted: false }
  }
  const roomForAnswer = turn.limits.maxOutputTokens ?? 0
  if (bytes < hardCeiling && bytes + roomForAnswer <= turn.limits.contextLimit) {
    return { kind: 'fits', tokensAtMost: bytes, counted: false }
  }
  const count = await turn.countTokens(prompt, turn.tools)
  if (count.kind === 'failed') return reject(turn, 'uncountable', null, hardCeiling, count.message)
  if (count.tokens < hardCeiling) return { kind: 'fits', tokensAtMost: count.tokens, counted: true }
  return reject(
    turn,
    'too_large',
    count.tokens,
    hardCeiling,
    `This message with the conversation is about ${tokensInWords(count.tokens)} tokens and ${turn.modelRef} takes ${tokensInWords(hardCeiling)}.`
  )
}

function reject(
  turn: TurnSettings,
  reason: RequestRejection['reason'],
  estimate: number | null,
  hardCeiling: number,
  message: string
): RequestRejection {
  return { kind: 'rejected', reason, modelRef: turn.modelRef, estimate, hardCeiling, message }
}
