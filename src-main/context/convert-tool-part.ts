// Owns how a stored tool result reads to a provider: by its state, never inventing an outcome.
import { createHash } from 'node:crypto'
import type { JSONValue, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import type { ToolPart } from '@common/rows/row-schema'
import { readSkillPointers } from '@common/rows/skill-pointer'
import { contentItemsOf, type MediaItem } from '@common/rows/tool-media'

type OutputItem = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

/** Anthropic takes [a-zA-Z0-9_-]+, OpenAI at most 64 characters: imported histories hold other forms. */
const MAX_TOOL_CALL_ID = 64
/** OpenAI and Google; Anthropic takes 128. */
const MAX_TOOL_NAME = 64

/** A tool call's id in a form that every provider takes; equal ids stay equal, different ones different. */
export function safeToolCallId(toolCallId: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(toolCallId)) return toolCallId
  const digest = createHash('sha256').update(toolCallId).digest('hex').slice(0, 16)
  const readable = toolCallId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_TOOL_CALL_ID - 17)
  return `${readable}_${digest}`
}

/** A tool's name in a form that every provider takes; models make up others, with dots or channel marks. */
export function safeToolName(toolName: string): string {
  const plain = toolName.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_TOOL_NAME)
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`.slice(0, MAX_TOOL_NAME)
}

/** What is said of a tool that the provider ran by itself. */
export function providerRunText(part: ToolPart): string {
  const call = `${part.toolName} ${JSON.stringify(part.input ?? {})}`
  const output = toolResultOutput(part)
  const result = 'value' in output ? output.value : null
  return `[The provider ran ${call}: ${typeof result === 'string' ? result : JSON.stringify(result)}]`
}

/** The result of a call as the model reads it, with the skills that it points out. A call without one reads as interrupted. */
export function toolResultOutput(part: ToolPart): LanguageModelV3ToolResultOutput {
  const output = plainResult(part)
  const pointers = readSkillPointers(part.skillPointers)
  return pointers.length === 0 ? output : withText(output, pointers.map(({ text }) => text).join('\n'))
}

/** The result with words behind it. JSON becomes the text that it is sent as: no provider takes both beside each other. */
function withText(output: LanguageModelV3ToolResultOutput, text: string): LanguageModelV3ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: `${output.value}\n\n${text}` }
    case 'json':
    case 'error-json':
      return {
        type: output.type === 'json' ? 'text' : 'error-text',
        value: `${JSON.stringify(output.value)}\n\n${text}`
      }
    case 'content':
      return { ...output, value: [...output.value, { type: 'text', text }] }
    case 'execution-denied':
      return output
  }
}

function plainResult(part: ToolPart): LanguageModelV3ToolResultOutput {
  switch (part.state) {
    case 'output-available':
      if (typeof part.output === 'string') return { type: 'text', value: part.output }
      return mediaOutput(part.output) ?? { type: 'json', value: (part.output ?? null) as JSONValue }
    case 'output-error':
      return errorText(part, 'The tool failed.')
    case 'output-denied':
      return errorText(part, 'The person denied this call.')
    case 'interrupted':
    case 'input-available':
      return errorText(part, 'Interrupted before it finished.')
  }
}

/** Endpoints refuse an error without words. */
function errorText(part: ToolPart, otherwise: string): LanguageModelV3ToolResultOutput {
  const said = part.errorText ?? ''
  return { type: 'error-text', value: said.trim() === '' ? otherwise : said }
}

/** Media only in the one form of 00; anything else that looks like media is ordinary JSON. */
function mediaOutput(output: unknown): LanguageModelV3ToolResultOutput | null {
  const items = contentItemsOf(output)
  if (items === null) return null
  return {
    type: 'content',
    value: items.map((item) => (item.type === 'media' ? mediaItem(item) : { type: 'text', text: item.text }))
  }
}

/** A picture as a picture: adapters leave out of a result, without a word, a file that is one. */
function mediaItem({ data, mediaType }: MediaItem): OutputItem {
  return { type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', data, mediaType }
}
