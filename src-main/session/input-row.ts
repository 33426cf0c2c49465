// Owns how a queue entry becomes the person's row, and the title that its first line gives. Pure.
import { MAX_TITLE_CHARS } from '@common/constants'
import type { QueueEntry } from '@common/contract/views'
import type { NewRow, RowPart } from '@common/rows/row-schema'
import { continueRow } from '../context/continue-row'

/** The row of an entry, under the entry's own id: so a restart knows what was delivered (T-2). */
export function inputRowOf(entry: QueueEntry, nowMs: number): NewRow {
  if (entry.machine === 'continue') return continueRow(entry.id, nowMs)
  const files: RowPart[] = entry.attachments.map((attachment) => ({
    type: 'file',
    mediaType: attachment.mediaType,
    url: `attachment:${attachment.sha256}`,
    filename: attachment.filename,
    bytes: attachment.bytes
  }))
  const text: RowPart[] = entry.text === '' ? [] : [{ type: 'text', text: entry.text }]
  return { id: entry.id, role: 'user', parts: [...text, ...files], metadata: { timestamp: nowMs } }
}

/** First line of the first message, cut at a character; the first file's name when there is no text. */
export function titleOf(entry: Pick<QueueEntry, 'text' | 'attachments'>): string {
  const line = entry.text
    .split('\n')
    .find((candidate) => candidate.trim() !== '')
    ?.trim()
  const title = line ?? entry.attachments[0]?.filename ?? 'New conversation'
  const characters = [...title]
  return characters.length <= MAX_TITLE_CHARS ? title : `${characters.slice(0, MAX_TITLE_CHARS - 1).join('')}…`
}
