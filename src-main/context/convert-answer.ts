// Owns how an answer's row reads to a provider: for each step what the model said and called, then the results.
// Steps are remembered by their parts, so that a row that grows by a step costs that step.
import type { LanguageModelV3Message, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { splitModelRef } from '@common/ids'
import { isKnownPart } from '@common/rows/row-schema'
import type { KnownPart, Row, RowPart, ToolPart } from '@common/rows/row-schema'
import { providerRunText, safeToolName, toolResultOutput } from './convert-tool-part'
import type { NewCallId } from './unique-call-ids'
import { ValueCache } from './value-cache'
import { wellFormed } from './well-formed'

/** A message of rows; the system's is not made from any. */
export type RowMessage = Exclude<LanguageModelV3Message, { role: 'system' }>
type AssistantContent = Extract<RowMessage, { role: 'assistant' }>['content'][number]

const converted = new ValueCache<RowMessage[]>()

/**
 * One assistant message and, where tools were called, one tool message for each step. `modelRef` will read them;
 * `newCallId` is asked for every call in order. The same parts read by the same provider, under the same ids, give
 * the same message objects.
 */
export function answerMessages(row: Row, modelRef: string, newCallId: NewCallId): RowMessage[] {
  return stepsOf(row.parts).flatMap((step) => {
    const own = sameProvider(step.model ?? row.metadata.model ?? '', modelRef)
    const callIds = step.parts.filter(isCalledTool).map((part) => newCallId(part.toolCallId))
    const last = step.parts.at(-1)
    if (last === undefined) return []
    return converted.findOrMake(last, [own, ...step.parts, ...callIds], () => stepMessages(step.parts, own, callIds))
  })
}

function stepMessages(stored: readonly KnownPart[], own: boolean, callIds: readonly string[]): RowMessage[] {
  const ids = callIds.values()
  const parts = stored.map((part) =>
    isCalledTool(part)
      ? { ...part, toolCallId: ids.next().value ?? part.toolCallId, toolName: safeToolName(part.toolName) }
      : part
  )
  const messages: RowMessage[] = []
  const content = withoutLooseThoughts(parts.flatMap((part) => assistantContent(part, own)))
  if (content.length > 0) messages.push({ role: 'assistant', content })
  const results = parts.filter(isCalledTool).map((part) => ({
    type: 'tool-result' as const,
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: wellFormed(toolResultOutput(part))
  }))
  if (results.length > 0) messages.push({ role: 'tool', content: results })
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
