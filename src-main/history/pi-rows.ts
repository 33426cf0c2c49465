// Owns how pi's messages become rows: an assistant message is one step, a tool result the outcome of its call.
import { MAX_PASTED_TEXT_BYTES, MAX_TOOL_RESULT_BYTES } from '@common/constants'
import { settleInterruptedCalls } from '@common/rows/interrupted-calls'
import { isKnownPart } from '@common/rows/row-schema'
import type {
  NewRow,
  ProviderMetadata,
  ReasoningPart,
  RowMetadata,
  RowPart,
  SpillReference,
  TextPart,
  TokenUsage,
  ToolPart
} from '@common/rows/row-schema'
import { type AttachmentFiles, attachmentUrl } from './attachments'
import { headAndTail } from './cut-text'
import type {
  PiAssistantBlock,
  PiAssistantMessage,
  PiToolResultMessage,
  PiUserBlock,
  PiUserMessage
} from './pi-messages'
import type { SpillFiles } from './spill'

interface Keep {
  readonly attachments: AttachmentFiles
  readonly spill: SpillFiles
}

/** An answer whose tool results may still follow. */
export interface PendingAnswer {
  readonly calls: Map<string, ToolPart>
  /** The row, with every call paired. */
  close(): NewRow
}

/** The person's message; pictures become attachments. */
export async function userRowOf(
  { content, timestamp, ...extra }: PiUserMessage,
  atMs: number | undefined,
  deps: Keep & { newId(): string }
): Promise<NewRow> {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const parts: RowPart[] = []
  for (const block of blocks) parts.push(await userPartOf(block, deps))
  const { role: _role, ...others } = extra
  return {
    id: deps.newId(),
    role: 'user',
    parts,
    metadata: {
      ...timestampOf(timestamp ?? atMs),
      ...(Object.keys(others).length === 0 ? {} : { providerMetadata: { pi: others } })
    }
  }
}

/** The assistant's message as one step. `requestSequence` 0: no request of ours. */
export async function assistantRowOf(
  message: PiAssistantMessage,
  { id, atMs, continues }: { id: string; atMs: number | undefined; continues: string | null },
  keep: Keep
): Promise<PendingAnswer> {
  const { content, provider, model, usage, stopReason, errorMessage, timestamp, role: _role, ...extra } = message
  const modelRef = `${provider}:${model}`
  const calls = new Map<string, ToolPart>()
  const parts: RowPart[] = []
  for (const block of content) {
    const part = await assistantPartOf(block, provider, keep)
    if (part.type === 'dynamic-tool') calls.set(part.toolCallId, part)
    parts.push(part)
  }
  const tokens = tokensOf(usage)
  const metadata: RowMetadata = {
    ...timestampOf(timestamp ?? atMs),
    model: modelRef,
    ...(tokens === null ? {} : { usage: tokens, contextUsage: tokens }),
    ...(usage?.cost === undefined ? {} : { costUsd: usage.cost.total }),
    ...(continues === null ? {} : { continues }),
    ...endingOf(stopReason, errorMessage),
    providerMetadata: { pi: { ...extra, stopReason, errorMessage, usage } }
  }
  return {
    calls,
    close() {
      const settled = parts.map((part) => (isToolPart(part) ? (calls.get(part.toolCallId) ?? part) : part))
      const step = tokens === null || settled.length === 0 ? [] : [stepOf(modelRef, tokens, stopReason)]
      return settleInterruptedCalls({ id, role: 'assistant', parts: [...settled, ...step], metadata })
    }
  }
}

/** Pairs a result with its call; false when the answer has no such open call. */
export async function settlePiCall(answer: PendingAnswer, result: PiToolResultMessage, keep: Keep): Promise<boolean> {
  const call = answer.calls.get(result.toolCallId)
  if (call?.state !== 'input-available') return false
  const { content, details, isError, timestamp, role: _role, toolCallId: _id, toolName: _name, ...extra } = result
  const texts: string[] = []
  for (const block of content) texts.push(block.type === 'text' ? block.text : await keptImage(block, keep))
  const { kept, spill } = await cappedText(texts.join('\n'), keep)
  answer.calls.set(result.toolCallId, {
    ...call,
    ...(isError === true ? { state: 'output-error', errorText: kept } : { state: 'output-available', output: kept }),
    ...(spill === null ? {} : { outputSpill: spill }),
    providerMetadata: {
      ...call.providerMetadata,
      piResult: { ...extra, details: await cappedDetails(details, keep), timestamp }
    }
  })
  return true
}

async function userPartOf(block: PiUserBlock, { attachments }: Keep): Promise<RowPart> {
  if (block.type === 'text') {
    const bytes = Buffer.from(block.text)
    if (bytes.length <= MAX_PASTED_TEXT_BYTES) return block
    const { sha256 } = await attachments.put(bytes, 'text/plain')
    return {
      type: 'file',
      mediaType: 'text/plain',
      url: attachmentUrl(sha256),
      filename: 'pasted-text.txt',
      bytes: bytes.length
    }
  }
  const bytes = Buffer.from(block.data, 'base64')
  const { sha256 } = await attachments.put(bytes, block.mimeType)
  return { type: 'file', mediaType: block.mimeType, url: attachmentUrl(sha256), bytes: bytes.length }
}

async function assistantPartOf(
  block: PiAssistantBlock,
  provider: string,
  keep: Keep
): Promise<TextPart | ReasoningPart | ToolPart> {
  switch (block.type) {
    case 'text':
      return block
    case 'thinking': {
      const { type: _type, thinking, thinkingSignature, ...extra } = block
      const signed = thinkingSignature === undefined ? {} : signatureOf(provider, thinkingSignature)
      return { ...extra, type: 'reasoning', text: thinking, providerMetadata: signed }
    }
    case 'toolCall': {
      const { type: _type, id, name, arguments: input, ...extra } = block
      return {
        type: 'dynamic-tool',
        toolCallId: id,
        toolName: name,
        state: 'input-available',
        ...(await cappedInput(input, keep)),
        ...(Object.keys(extra).length === 0 ? {} : { providerMetadata: { pi: extra } })
      }
    }
  }
}

/** Where the adapters of the SDK look for it when the thinking is sent back. */
function signatureOf(provider: string, signature: string): ProviderMetadata {
  return provider === 'anthropic' ? { anthropic: { signature } } : { pi: { thinkingSignature: signature } }
}

/** A tool's output is text for us; its picture is kept whole beside the history and named in the text. */
async function keptImage(block: Extract<PiUserBlock, { type: 'image' }>, { attachments }: Keep): Promise<string> {
  const { sha256 } = await attachments.put(Buffer.from(block.data, 'base64'), block.mimeType)
  return `[${block.mimeType} kept as ${attachmentUrl(sha256)}]`
}

async function cappedText(text: string, { spill }: Keep): Promise<{ kept: string; spill: SpillReference | null }> {
  if (Buffer.byteLength(JSON.stringify(text)) <= MAX_TOOL_RESULT_BYTES) return { kept: text, spill: null }
  const reference = await spill.write(text, 'text/plain')
  return { kept: headAndTail(text, spillNote(reference), MAX_TOOL_RESULT_BYTES), spill: reference }
}

/** An input stays what it was up to the size of a long paste; beyond that its ends and where the whole is. */
async function cappedInput(input: unknown, { spill }: Keep): Promise<Pick<ToolPart, 'input' | 'inputSpill'>> {
  const whole = JSON.stringify(input ?? null)
  if (Buffer.byteLength(whole) <= MAX_PASTED_TEXT_BYTES) return { input }
  const reference = await spill.write(whole, 'application/json')
  return { input: { cut_note: headAndTail(whole, spillNote(reference), MAX_TOOL_RESULT_BYTES) }, inputSpill: reference }
}

/** What pi's own screen drew from; nobody reads it here, so a long one moves out whole. */
async function cappedDetails(details: unknown, { spill }: Keep): Promise<unknown> {
  const whole = JSON.stringify(details) ?? ''
  if (Buffer.byteLength(whole) <= MAX_TOOL_RESULT_BYTES) return details
  return { spill: await spill.write(whole, 'application/json') }
}

function spillNote({ id, bytes }: SpillReference): string {
  return `the whole (${bytes} bytes) is spill:${id}; read it with file_read, path "spill:${id}"`
}

function isToolPart(part: RowPart): part is ToolPart {
  return isKnownPart(part) && part.type === 'dynamic-tool'
}

function tokensOf(usage: PiAssistantMessage['usage']): TokenUsage | null {
  if (usage === undefined) return null
  return {
    inputTokens: usage.input,
    cacheReadTokens: usage.cacheRead,
    cacheWriteTokens: usage.cacheWrite,
    outputTokens: usage.output,
    reasoningTokens: 0
  }
}

function stepOf(model: string, usage: TokenUsage, stopReason: string | undefined): RowPart {
  return {
    type: 'step',
    requestSequence: 0,
    model,
    usage,
    ...(stopReason === undefined ? {} : { finishReason: stopReason })
  }
}

function endingOf(stopReason: string | undefined, errorMessage: string | undefined): Partial<RowMetadata> {
  if (stopReason === 'aborted') return { interrupted: true }
  if (stopReason === 'error') return { error: { kind: 'provider', message: errorMessage ?? 'The provider failed.' } }
  return {}
}

function timestampOf(timestamp: number | undefined): Pick<RowMetadata, 'timestamp'> {
  return timestamp === undefined ? {} : { timestamp }
}
