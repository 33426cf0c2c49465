// Owns the snapshots of the files that a person's message mentions (P-6): each once, in the order of the text, as rows
// that go before the message. What is no readable file of the project stays plain text.
import { MAX_MENTIONED_FILES, MENTIONED_FILE_MAX_BYTES, MENTIONED_FILES_MAX_BYTES } from '@common/constants'
import { fileMentionsOf } from '@common/rows/file-mentions'
import type { NewRow, RowPart } from '@common/rows/row-schema'
import type { SeenFile } from '@common/rows/seen-file'
import { systemCodeOf } from '../files/file-error'
import { attachmentUrl, type AttachmentFiles } from '../history/attachments'
import { snapshotFile, type FileSnapshot } from '../tools/file-snapshot'
import type { TextPieces } from '../tools/head-and-tail'
import type { SeenFiles } from '../tools/seen-files'
import { shownName } from './shown-name'

export interface MentionSources {
  readonly projectRoot: string
  readonly seenFiles: SeenFiles
  readonly attachments: Pick<AttachmentFiles, 'put'>
  now(): number
}

/** Given of a file for which the others left no room. */
const MIN_FILE_BYTES = 1_024

/** The rows for what `text` mentions; they belong to the input of this id. */
export async function mentionedFileRows(text: string, inputId: string, sources: MentionSources): Promise<NewRow[]> {
  const rows = new Map<string, NewRow>()
  let room = MENTIONED_FILES_MAX_BYTES
  for (const forms of fileMentionsOf(text)) {
    if (rows.size === MAX_MENTIONED_FILES) break
    const maxBytes = Math.max(MIN_FILE_BYTES, Math.min(MENTIONED_FILE_MAX_BYTES, room))
    const snapshot = await firstOf(forms, (path) => snapshotFile(path, { ...sources, maxBytes }))
    if (snapshot === null || rows.has(pathOf(snapshot))) continue
    if (snapshot.kind === 'text') room -= Math.min(snapshot.text.bytes, maxBytes)
    const id = snapshotId(inputId, rows.size + 1)
    rows.set(pathOf(snapshot), await rowOf(snapshot, { id, inputId }, sources))
  }
  return [...rows.values()]
}

/** The row before which nothing of the input stands, if it mentions a file (an edit of the input cuts from here). */
export function firstSnapshotId(inputId: string): string {
  return snapshotId(inputId, 1)
}

function snapshotId(inputId: string, number: number): string {
  return `${inputId}-file-${number}`
}

async function firstOf<T>(forms: readonly string[], find: (form: string) => Promise<T | null>): Promise<T | null> {
  for (const form of forms) {
    const found = await find(form)
    if (found !== null) return found
  }
  return null
}

function pathOf(snapshot: FileSnapshot): string {
  return snapshot.kind === 'too-large' ? snapshot.path : snapshot.sighting.path
}

async function rowOf(
  snapshot: FileSnapshot,
  { id, inputId }: { id: string; inputId: string },
  sources: MentionSources
): Promise<NewRow> {
  const nowMs = sources.now()
  const path = pathOf(snapshot)
  const parts = await partsOf(snapshot, shownName(path), sources)
  const isGiven = snapshot.kind === 'text' || parts.some((part) => part.type === 'file')
  const seen: SeenFile | null = isGiven && 'sighting' in snapshot ? { ...snapshot.sighting, seenAtMs: nowMs } : null
  const machine = { type: 'prelude', source: 'file', path, inputId, ...(seen === null ? {} : { seen }) }
  return {
    id,
    role: 'user',
    parts,
    metadata: { timestamp: nowMs, synthetic: true, uiVisible: true, machine }
  }
}

async function partsOf(snapshot: FileSnapshot, name: string, { attachments }: MentionSources): Promise<RowPart[]> {
  const said = (words: string): RowPart => ({ type: 'text', text: `${name}, mentioned in the next message${words}` })
  switch (snapshot.kind) {
    case 'too-large':
      return [
        said(` (${snapshot.bytes} bytes), is too large to be put in here. Read parts of it with file_read or grep.`)
      ]
    case 'text': {
      const { lines, bytes } = snapshot.text
      return [said(`, as it is now (${lines} lines, ${bytes} bytes):\n\n${shownText(snapshot.text)}`)]
    }
    case 'media': {
      const { bytes, mediaType } = snapshot
      try {
        const { sha256 } = await attachments.put(bytes, mediaType)
        const file = { type: 'file', mediaType, url: attachmentUrl(sha256), filename: name, bytes: bytes.length }
        return [said(`, is attached (${mediaType}, ${bytes.length} bytes).`), file]
      } catch (cause) {
        const code = systemCodeOf(cause)
        if (code === null) throw cause
        return [said(`, could not be kept with this conversation (${code}) and is not attached.`)]
      }
    }
  }
}

function shownText({ head, tail, omitted }: TextPieces): string {
  if (tail === null || omitted === null) return head
  const { firstLine, lastLine, bytes } = omitted
  const what =
    firstLine >= lastLine
      ? `${bytes} bytes around line ${firstLine} are left out`
      : `lines ${firstLine} to ${lastLine} are left out, ${bytes} bytes; file_read with offset ${firstLine} goes on there`
  return `${head}${head.endsWith('\n') ? '' : '\n'}[… ${what} …]\n${tail}`
}
