// Owns how a row of the user reads to a provider: its texts, and its attachments as files or as text.
// Bytes are read once for a part and are remembered as long as the part is there.
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider'
import { isKnownPart } from '@common/rows/row-schema'
import type { FilePart, KnownPart, Row } from '@common/rows/row-schema'
import type { RowMessage } from './convert-answer'
import { ValueCache } from './value-cache'
import { wellFormed } from './well-formed'

/** Reads an attachment's bytes; null when they are gone (the model is told so). */
export type LoadAttachment = (part: FilePart) => Promise<Uint8Array | null>

type InputContent = LanguageModelV3TextPart | LanguageModelV3FilePart

const loaded = new ValueCache<Uint8Array>()
const converted = new ValueCache<RowMessage[]>()

/** The message of this row; none where it says nothing. The same parts and bytes give the same message object. */
export async function inputMessages(row: Row, load: LoadAttachment): Promise<RowMessage[]> {
  const parts = row.parts.filter(isKnownPart)
  const last = parts.at(-1)
  if (last === undefined) return []
  const files = new Map<KnownPart, Uint8Array | null>()
  for (const part of parts) if (part.type === 'file') files.set(part, await bytesOf(part, load))
  return converted.findOrMake(last, [...parts, ...files.values()], () => {
    const content = parts.flatMap((part) => contentOf(part, files.get(part) ?? null))
    return content.length === 0 ? [] : [{ role: 'user', content }]
  })
}

/** What is not there is asked for again: it may come back. */
async function bytesOf(part: FilePart, load: LoadAttachment): Promise<Uint8Array | null> {
  const known = loaded.find(part, [load])
  if (known !== undefined) return known
  const bytes = await load(part)
  return bytes === null ? null : loaded.keep(part, [load], bytes)
}

function contentOf(part: KnownPart, bytes: Uint8Array | null): InputContent[] {
  if (part.type === 'file') return [fileContent(part, bytes)]
  return part.type === 'text' && part.text.trim() !== '' ? [{ type: 'text', text: wellFormed(part.text) }] : []
}

function fileContent(part: FilePart, bytes: Uint8Array | null): InputContent {
  const name = wellFormed(part.filename ?? 'attachment')
  if (bytes === null) return { type: 'text', text: `[The attachment ${name} is no longer on disk.]` }
  if (part.mediaType.startsWith('image/') || part.mediaType === 'application/pdf') {
    return { type: 'file', mediaType: part.mediaType, data: bytes, filename: name }
  }
  return { type: 'text', text: `Attached file ${name}:\n\n${new TextDecoder().decode(bytes)}` }
}
