// Owns the text of an item (S-7): its parts in order, a line break between them; text verbatim, a call as its name and
// its stored JSON input, a string result verbatim, any other as stored JSON. What S-4 leaves out is left out here. A
// spilled value and a pasted text stand in their files and count as if they stood in the row.
import { type FilePart, isKnownPart, type RowPart, type SpillReference, type ToolPart } from '@common/rows/row-schema'
import { contentItemsOf } from '@common/rows/tool-media'
import { jsonSlice } from './json-slice'
import type { StoredText } from './stored-text'

/** The tool whose results are never told again: they are the past already, and it would grow without end. */
export const HISTORY_TOOL = 'session_history'
export const OMITTED_RESULT = '[history result omitted]'
export const MEDIA_MARK = '[image]'

export type ItemSource =
  | { readonly kind: 'inline'; readonly form: 'text' | 'json'; readonly toolName: string | null; readonly text: string }
  | {
      readonly kind: 'file'
      readonly form: 'text' | 'json'
      readonly toolName: string | null
      readonly stored: StoredText
    }

/** Where the texts are that a row names; null for one that is not on disk any more. */
export interface StoredTexts {
  spill(id: string): StoredText | null
  attachment(url: string): StoredText | null
}

/** A line that parses to an object with `parts`; `value` is its JSON value. */
export interface ParsedItem {
  readonly line: string
  readonly value: Readonly<Record<string, unknown>>
  /** Where its parts stand, for those that are not the row's own (a capsule's). */
  readonly partsPath?: readonly string[]
}

/** The sources of the item's text, in order. */
export function itemSourcesOf({ line, value, partsPath = ['parts'] }: ParsedItem, texts: StoredTexts): ItemSource[] {
  const parts = partsPath.reduce<unknown>((at, name) => fieldOf(at, name), value)
  if (!Array.isArray(parts)) return []
  return (parts as unknown[]).flatMap((part, at) =>
    isPart(part) && isKnownPart(part) ? sourcesOf(part, (name) => jsonSlice(line, [...partsPath, at, name]), texts) : []
  )
}

type Slice = (name: 'input' | 'output') => string | null

function sourcesOf(part: RowPart, slice: Slice, texts: StoredTexts): ItemSource[] {
  if (!isKnownPart(part)) return []
  switch (part.type) {
    case 'text':
      return [inline('text', part.text, null)]
    case 'file':
      return fileSources(part, texts)
    case 'dynamic-tool':
      return [...inputSources(part, slice, texts), ...resultSources(part, slice, texts)]
    case 'reasoning':
    case 'step':
      return []
  }
}

const MEDIA_TYPE = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|octet-stream)$/

function fileSources({ mediaType, url, filename }: FilePart, texts: StoredTexts): ItemSource[] {
  if (MEDIA_TYPE.test(mediaType)) return [inline('text', MEDIA_MARK, null)]
  const stored = texts.attachment(url)
  const name = inline('text', `[file ${filename ?? 'attachment'}${stored === null ? ', no longer on disk' : ''}]`, null)
  return stored === null ? [name] : [name, { kind: 'file', form: 'text', toolName: null, stored }]
}

function inputSources({ toolName, inputSpill }: ToolPart, slice: Slice, texts: StoredTexts): ItemSource[] {
  const stored = inputSpill === undefined ? null : texts.spill(inputSpill.id)
  if (stored !== null)
    return [inline('text', toolName, toolName), { kind: 'file', form: formOf(inputSpill, 'json'), toolName, stored }]
  const input = slice('input')
  return [inline('json', input === null ? toolName : `${toolName} ${input}`, toolName)]
}

function resultSources(part: ToolPart, slice: Slice, texts: StoredTexts): ItemSource[] {
  const { toolName, output, errorText, outputSpill } = part
  if (toolName === HISTORY_TOOL)
    return part.state === 'input-available' ? [] : [inline('text', OMITTED_RESULT, toolName)]
  const kept = keptSources(output, errorText, () => slice('output'), toolName)
  const stored = outputSpill === undefined || holdsMedia(output) ? null : texts.spill(outputSpill.id)
  if (stored === null) return kept
  const isText = output === undefined || typeof output === 'string'
  const file: ItemSource = { kind: 'file', form: formOf(outputSpill, isText ? 'text' : 'json'), toolName, stored }
  // A log that grew while the call ran stands beside the result; a value that was too long stands in its place.
  return outputSpill?.id.startsWith('log-') === true ? [...kept, file] : [file]
}

function formOf(spill: SpillReference | undefined, otherwise: 'text' | 'json'): 'text' | 'json' {
  if (spill?.mediaType === undefined) return otherwise
  return spill.mediaType === 'application/json' ? 'json' : 'text'
}

/** What the cap leaves of a media item; the spill then holds its bytes, which are nobody's text (S-4). */
const CUT_MEDIA = /^\[[\w.+-]+\/[\w.+-]+, not shown: /

function holdsMedia(output: unknown): boolean {
  const items = contentItemsOf(output) ?? []
  return items.some((item) => item.type === 'media' || CUT_MEDIA.test(item.text))
}

function keptSources(
  output: unknown,
  errorText: string | undefined,
  slice: () => string | null,
  toolName: string
): ItemSource[] {
  if (output === undefined) return errorText === undefined ? [] : [inline('text', errorText, toolName)]
  if (typeof output === 'string') return [inline('text', output, toolName)]
  if (contentItemsOf(output) === null) return [inline('json', slice() ?? '', toolName)]
  const items = (output as { value: readonly { readonly type: string; readonly text?: string }[] }).value
  return items.map(({ type, text }) => inline('text', type === 'media' ? MEDIA_MARK : (text ?? ''), toolName))
}

function inline(form: 'text' | 'json', text: string, toolName: string | null): ItemSource {
  return { kind: 'inline', form, toolName, text }
}

function isPart(value: unknown): value is RowPart {
  return typeof fieldOf(value, 'type') === 'string'
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
