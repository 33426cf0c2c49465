// Owns how a stored tool result reads to a provider: by its state, never inventing an outcome.
import { createHash } from 'node:crypto'
import type { JSONValue, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import type { ToolPart } from '@common/rows/row-schema'

/** Anthropic takes [a-zA-Z0-9_-]+, OpenAI at most 64 characters: imported histories hold other forms. */
const MAX_TOOL_CALL_ID = 64

/** A tool call's id in a form that every provider takes; equal ids stay equal, different ones different. */
export function safeToolCallId(toolCallId: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(toolCallId)) return toolCallId
  const digest = createHash('sha256').update(toolCallId).digest('hex').slice(0, 16)
  const readable = toolCallId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_TOOL_CALL_ID - 17)
  return `${readable}_${digest}`
}

/** The result of a call as the model reads it. A call without a result reads as interrupted. */
export function toolResultOutput(part: ToolPart): LanguageModelV3ToolResultOutput {
  switch (part.state) {
    case 'output-available':
      if (typeof part.output === 'string') return { type: 'text', value: part.output }
      return mediaOutput(part.output) ?? { type: 'json', value: (part.output ?? null) as JSONValue }
    case 'output-error':
      return { type: 'error-text', value: part.errorText ?? 'The tool failed.' }
    case 'output-denied':
      return { type: 'error-text', value: part.errorText ?? 'The person denied this call.' }
    case 'interrupted':
    case 'input-available':
      return { type: 'error-text', value: part.errorText ?? 'Interrupted before it finished.' }
  }
}

/** Media only in the one form of 00; anything else that looks like media is ordinary JSON. */
function mediaOutput(output: unknown): LanguageModelV3ToolResultOutput | null {
  if (typeof output !== 'object' || output === null || !('type' in output) || output.type !== 'content') return null
  if (!('value' in output) || !Array.isArray(output.value)) return null
  const value: Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'] = []
  for (const item of output.value as unknown[]) {
    if (isMedia(item)) value.push({ type: 'file-data', data: item.data, mediaType: item.mediaType })
    else if (isText(item)) value.push({ type: 'text', text: item.text })
    else return null
  }
  return { type: 'content', value }
}

function isMedia(item: unknown): item is { data: string; mediaType: string } {
  if (typeof item !== 'object' || item === null) return false
  const { type, data, mediaType } = item as Record<string, unknown>
  return type === 'media' && typeof data === 'string' && typeof mediaType === 'string'
}

function isText(item: unknown): item is { text: string } {
  if (typeof item !== 'object' || item === null) return false
  const { type, text } = item as Record<string, unknown>
  return type === 'text' && typeof text === 'string'
}
