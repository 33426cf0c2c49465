// Owns what of a request costs tokens, message by message: texts, JSON, sealed provider state, media. The framing
// of a message is left to who counts. Pure.
// Strings and JSON are text whatever they look like; only parts that are media by type get an allowance (P-3).
// JSON is counted as it is serialised, keys, quotes and escapes included, so none of its structure is omitted.
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart
} from '@ai-sdk/provider'
import { IMAGE_TOKEN_ESTIMATE, PDF_MAX_PAGES, PDF_PAGE_TOKEN_ESTIMATE } from '@common/constants'
import { pdfPages } from './pdf-pages'

export interface RequestPieces {
  /** Encoded as they are. */
  readonly texts: string[]
  /** JSON values, encoded as serialised; kept as objects since their identity is what caches go by. */
  readonly values: object[]
  /** Provider state of a part, such as a thinking signature: opaque to a tokenizer. */
  readonly sealed: object[]
  /** Allowances of media, which need no tokenizer. */
  mediaTokens: number
}

type MessagePart = Exclude<LanguageModelV3Message['content'], string>[number]
type ToolOutput = LanguageModelV3ToolResultPart['output']
type OutputItem = Extract<ToolOutput, { type: 'content' }>['value'][number]

/** What a message costs. */
export function messagePieces(message: LanguageModelV3Message): RequestPieces {
  const pieces = emptyPieces()
  if (typeof message.content === 'string') pieces.texts.push(message.content)
  else for (const part of message.content) addPart(pieces, part)
  return pieces
}

/** What an advertised tool costs. */
export function toolPieces(tool: LanguageModelV3FunctionTool): RequestPieces {
  const pieces = emptyPieces()
  const { providerOptions: _marks, ...advertised } = tool
  pieces.texts.push(JSON.stringify(advertised))
  return pieces
}

function emptyPieces(): RequestPieces {
  return { texts: [], values: [], sealed: [], mediaTokens: 0 }
}

function addPart(pieces: RequestPieces, part: MessagePart): void {
  if (part.providerOptions !== undefined) pieces.sealed.push(part.providerOptions)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      pieces.texts.push(part.text)
      break
    case 'file':
      if (part.filename !== undefined) pieces.texts.push(part.filename)
      pieces.mediaTokens += tokensOfMedia(part.mediaType, part.data)
      break
    case 'tool-call':
      addHead(pieces, part)
      addJson(pieces, part.input)
      break
    case 'tool-result':
      addHead(pieces, part)
      addOutput(pieces, part.output)
      break
    case 'tool-approval-response':
      addJson(pieces, part)
      break
  }
}

function addOutput(pieces: RequestPieces, output: ToolOutput): void {
  switch (output.type) {
    case 'text':
    case 'error-text':
      pieces.texts.push(output.value)
      break
    case 'json':
    case 'error-json':
      addJson(pieces, output.value)
      break
    case 'execution-denied':
      addJson(pieces, output)
      break
    case 'content':
      for (const item of output.value) addOutputItem(pieces, item)
      break
  }
}

function addOutputItem(pieces: RequestPieces, item: OutputItem): void {
  switch (item.type) {
    case 'text':
      pieces.texts.push(item.text)
      break
    case 'file-data':
      if (item.filename !== undefined) pieces.texts.push(item.filename)
      pieces.mediaTokens += tokensOfMedia(item.mediaType, item.data)
      break
    case 'image-data':
    case 'image-url':
    case 'image-file-id':
      pieces.mediaTokens += IMAGE_TOKEN_ESTIMATE
      break
    case 'file-url':
    case 'file-id':
      // A document that only the provider sees.
      pieces.mediaTokens += PDF_MAX_PAGES * PDF_PAGE_TOKEN_ESTIMATE
      break
    case 'custom':
      addJson(pieces, item)
      break
  }
}

/** The structure around a call or a result, written out so that none of it is left uncounted. */
function addHead(pieces: RequestPieces, part: { type: string; toolCallId: string; toolName: string }): void {
  const { type, toolCallId, toolName } = part
  pieces.texts.push(JSON.stringify({ type, toolCallId, toolName, value: '' }))
}

/** Objects keep their identity; anything else is serialised now. What JSON leaves out costs nothing. */
function addJson(pieces: RequestPieces, value: unknown): void {
  if (typeof value === 'object' && value !== null) pieces.values.push(value)
  else pieces.texts.push(JSON.stringify(value) ?? '')
}

/** The allowance of a genuine media part; a kind without one costs a token a byte. */
function tokensOfMedia(mediaType: string, data: Uint8Array | string | URL): number {
  if (mediaType.startsWith('image/')) return IMAGE_TOKEN_ESTIMATE
  if (mediaType === 'application/pdf') return pdfPages(data) * PDF_PAGE_TOKEN_ESTIMATE
  return data instanceof Uint8Array ? data.byteLength : Buffer.byteLength(String(data))
}
