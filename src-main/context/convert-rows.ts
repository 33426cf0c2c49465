// Owns the conversion of stored rows to the provider-neutral prompt: the only place that knows both shapes.
// Deterministic: the same rows give the same bytes, so that a prefix never changes under the model.
// What real endpoints refuse is settled here (L-4): an assistant first, empty texts, thoughts that lead nowhere,
// names and ids in other forms, half characters. A request that is refused once would be refused for ever.
import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3TextPart,
  SharedV3ProviderMetadata
} from '@ai-sdk/provider'
import { splitModelRef } from '@common/ids'
import { isKnownPart } from '@common/rows/row-schema'
import type { FilePart, KnownPart, Row, RowPart, ToolPart } from '@common/rows/row-schema'
import { rowKindOf } from '@common/rows/row-kinds'
import { providerRunText, safeToolCallId, safeToolName, toolResultOutput } from './convert-tool-part'
import { joinContinued } from './join-continued'
import { wellFormed } from './well-formed'

export type AssistantMessage = Extract<LanguageModelV3Message, { role: 'assistant' }>
type AssistantContent = AssistantMessage['content'][number]
type UserContent = LanguageModelV3TextPart | LanguageModelV3FilePart

/** Reads an attachment's bytes; null when they are gone (the model is told so). */
export type LoadAttachment = (part: FilePart) => Promise<Uint8Array | null>

export interface ConvertOptions {
  /** PROVIDER_ID:MODEL_ID that will read the prompt: another provider's thinking means nothing to it. */
  readonly modelRef: string
  readonly loadAttachment: LoadAttachment
}

/** Sent first when history begins with an answer, which no endpoint takes. */
export const OPENING_TEXT = '(The conversation begins with an earlier answer.)'

/**
 * The messages of these rows, in order, neighbours of one role merged. Rows that the table does not send
 * must be left out by the caller (boundaries.rowsForProvider).
 */
export async function convertRows(rows: readonly Row[], options: ConvertOptions): Promise<LanguageModelV3Message[]> {
  const messages: LanguageModelV3Message[] = []
  const newCallId = uniqueCallIds()
  for (const row of joinContinued(rows)) {
    for (const message of await convertRow(row, options, newCallId)) pushMerged(messages, message)
  }
  if (messages[0] !== undefined && messages[0].role !== 'user') {
    messages.unshift({ role: 'user', content: [{ type: 'text', text: OPENING_TEXT }] })
  }
  return messages
}

async function convertRow(row: Row, options: ConvertOptions, newCallId: NewCallId): Promise<LanguageModelV3Message[]> {
  if (row.role === 'user') return userMessages(await userContent(row.parts, options))
  if (rowKindOf(row) === 'compaction-summary') return userMessages(await userContent(row.parts, options))
  return assistantMessages(row, options, newCallId)
}

/** A call's id as it is sent: each only once in a request. */
type NewCallId = (toolCallId: string) => string

/** Some servers number the calls of every answer from zero; endpoints refuse two calls of one id in a request. */
function uniqueCallIds(): NewCallId {
  const uses = new Map<string, number>()
  const given = new Set<string>()
  return (toolCallId) => {
    for (;;) {
      const use = (uses.get(toolCallId) ?? 0) + 1
      uses.set(toolCallId, use)
      const id = safeToolCallId(use === 1 ? toolCallId : `${toolCallId}#${use}`)
      if (given.has(id)) continue
      given.add(id)
      return id
    }
  }
}

function userMessages(content: UserContent[]): LanguageModelV3Message[] {
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

async function userContent(parts: readonly RowPart[], options: ConvertOptions): Promise<UserContent[]> {
  const content: UserContent[] = []
  for (const part of parts) {
    if (!isKnownPart(part)) continue
    if (part.type === 'text' && part.text.trim() !== '') content.push({ type: 'text', text: wellFormed(part.text) })
    if (part.type === 'file') content.push(await fileContent(part, options.loadAttachment))
  }
  return content
}

async function fileContent(part: FilePart, load: LoadAttachment): Promise<UserContent> {
  const name = wellFormed(part.filename ?? 'attachment')
  const bytes = await load(part)
  if (bytes === null) return { type: 'text', text: `[The attachment ${name} is no longer on disk.]` }
  if (part.mediaType.startsWith('image/') || part.mediaType === 'application/pdf') {
    return { type: 'file', mediaType: part.mediaType, data: bytes, filename: name }
  }
  return { type: 'text', text: `Attached file ${name}:\n\n${new TextDecoder().decode(bytes)}` }
}

/** One assistant message and, where tools were called, one tool message for each step. */
function assistantMessages(row: Row, options: ConvertOptions, newCallId: NewCallId): LanguageModelV3Message[] {
  const messages: LanguageModelV3Message[] = []
  for (const step of stepsOf(row.parts)) {
    const model = step.model ?? row.metadata.model ?? ''
    const own = sameProvider(model, options.modelRef)
    const parts = step.parts.map((part) =>
      isCalledTool(part)
        ? { ...part, toolCallId: newCallId(part.toolCallId), toolName: safeToolName(part.toolName) }
        : part
    )
    const content = withoutLooseThoughts(parts.flatMap((part) => assistantContent(part, own)))
    if (content.length > 0) messages.push({ role: 'assistant', content })
    const results = parts.filter(isCalledTool).map((part) => ({
      type: 'tool-result' as const,
      toolCallId: part.toolCallId,
      toolName: part.toolName,
      output: wellFormed(toolResultOutput(part))
    }))
    if (results.length > 0) messages.push({ role: 'tool', content: results })
  }
  return messages
}

/** Endpoints refuse thoughts that nothing of the same answer follows, and a cut answer's seal may be half. */
function withoutLooseThoughts(content: AssistantContent[]): AssistantContent[] {
  return content.slice(0, content.findLastIndex((part) => part.type !== 'reasoning') + 1)
}

function assistantContent(part: KnownPart, own: boolean): AssistantContent[] {
  const options = own ? providerOptionsOf(part) : {}
  switch (part.type) {
    case 'text':
      // Gemini signs empty texts too and wants them back; everyone else refuses them.
      if (part.text.trim() === '' && !(own && isSigned(part))) return []
      return [{ type: 'text', text: wellFormed(part.text), ...options }]
    case 'reasoning':
      // Thinking is replayed unchanged to the provider that signed it; without a signature nobody takes it.
      return 'providerOptions' in options ? [{ type: 'reasoning', text: wellFormed(part.text), ...options }] : []
    case 'dynamic-tool': {
      // Said as text: endpoints take such a call only from who offers the tool again, and we offer none of theirs.
      if (!isCalledTool(part)) return [{ type: 'text', text: wellFormed(providerRunText(part)) }]
      const { toolCallId, toolName } = part
      return [{ type: 'tool-call', toolCallId, toolName, input: wellFormed(callInput(part.input)), ...options }]
    }
    case 'file':
    case 'step':
      return []
  }
}

/** Endpoints take an object alone; what a model wrote instead is shown to it inside of one. */
function callInput(input: unknown): object {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input: input ?? null }
}

function isSigned(part: KnownPart): boolean {
  return part.type === 'text' && part.providerMetadata?.['google']?.['thoughtSignature'] !== undefined
}

function isCalledTool(part: KnownPart): part is ToolPart {
  return part.type === 'dynamic-tool' && part['providerExecuted'] !== true
}

interface Step {
  readonly parts: KnownPart[]
  /** Model that wrote the step; null for a step that was cut short. */
  model: string | null
}

function stepsOf(parts: readonly RowPart[]): Step[] {
  const steps: Step[] = []
  let open: Step | null = null
  for (const part of parts) {
    if (!isKnownPart(part)) continue
    open ??= { parts: [], model: null }
    if (part.type === 'step') {
      open.model = part.model
      steps.push(open)
      open = null
    } else open.parts.push(part)
  }
  if (open !== null) steps.push(open)
  return steps
}

function sameProvider(a: string, b: string): boolean {
  const left = splitModelRef(a)
  return left !== null && left.providerId === splitModelRef(b)?.providerId
}

type ProviderOptionsField = { providerOptions?: SharedV3ProviderMetadata }

/**
 * What the provider wants back with a part. Of Anthropic that is the signature of thinking alone: its notes on texts
 * and calls (citations, callers, compactions) point to tools and settings that our requests do not have.
 */
function providerOptionsOf(part: KnownPart): ProviderOptionsField {
  if (!('providerMetadata' in part) || part.providerMetadata === undefined) return {}
  // Stored metadata is the SDK's own, kept as JSON; the SDK types it as JSON objects by provider.
  const metadata = part.providerMetadata as SharedV3ProviderMetadata
  if (part.type === 'reasoning' || metadata['anthropic'] === undefined) return { providerOptions: metadata }
  const { anthropic: _notes, ...others } = metadata
  return Object.keys(others).length === 0 ? {} : { providerOptions: others }
}

/** Adds a message, joining it to the one before when both have the same role. */
function pushMerged(messages: LanguageModelV3Message[], message: LanguageModelV3Message): void {
  const last = messages.at(-1)
  if (last !== undefined && last.role === message.role && last.role !== 'system' && message.role !== 'system') {
    // Each role's own content type: the roles are equal, which TypeScript cannot follow across two variables.
    messages[messages.length - 1] = {
      ...last,
      content: [...last.content, ...message.content]
    } as LanguageModelV3Message
  } else messages.push(message)
}
