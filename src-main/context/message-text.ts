// Owns how a message of a request reads to a person: its texts and JSON as they are, media by name and size. Pure.
import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider'
import type { RowMessage } from './convert-answer'

type MessagePart = RowMessage['content'][number]
type ToolOutput = LanguageModelV3ToolResultPart['output']
type OutputItem = Extract<ToolOutput, { type: 'content' }>['value'][number]

/** The whole message; parts stand apart by an empty line. */
export function messageText({ content }: RowMessage): string {
  return content.map(partText).join('\n\n')
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(thinking)\n${part.text}`
    case 'file':
      return mediaText(part.mediaType, part.data, part.filename)
    case 'tool-call':
      return `(calls ${part.toolName})\n${jsonText(part.input)}`
    case 'tool-result':
      return `(result of ${part.toolName})\n${outputText(part.output)}`
    case 'tool-approval-response':
      return jsonText(part)
  }
}

function outputText(output: ToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return jsonText(output.value)
    case 'execution-denied':
      return output.reason ?? 'denied'
    case 'content':
      return output.value.map(itemText).join('\n')
  }
}

function itemText(item: OutputItem): string {
  switch (item.type) {
    case 'text':
      return item.text
    case 'file-data':
      return mediaText(item.mediaType, item.data, item.filename)
    case 'image-data':
      return mediaText(item.mediaType, item.data, undefined)
    default:
      return `[${item.type}]`
  }
}

function mediaText(mediaType: string, data: Uint8Array | string | URL, filename: string | undefined): string {
  const bytes = data instanceof Uint8Array ? data.length : Math.floor((String(data).length * 3) / 4)
  return `[${filename ?? 'file'}, ${mediaType}, ${bytes.toLocaleString('en')} bytes]`
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}
