// Owns a person's message: word for word, never rendered as Markdown; a long one opens on demand.
import { memo } from 'react'
import type { FilePart, Row } from '@common/rows/row-schema'
import { isKnownPart } from '@common/rows/row-schema'
import { Button } from '../../ui/button'
import { countText } from '../../ui/format'
import { useDisclosure } from '../use-disclosure'
import { AttachmentView } from './attachment-view'
import { RowActions } from './row-actions'
import { rowText } from './row-texts'

/** More lines than this, or characters that make as many, are opened on demand. */
const LINES_SHOWN = 14
const CHARS_SHOWN = 1_400

export const PersonRow = memo(function PersonRow({ row }: { readonly row: Row }) {
  return (
    <div data-testid="row-user" data-row-id={row.id} className="group/row flex items-start justify-end gap-2">
      <RowActions row={row} text={() => rowText(row)} className="mt-1.5" />
      <div className="flex max-w-[85%] min-w-0 flex-col items-end gap-2">
        <Attachments parts={filesOf(row)} />
        <PersonText id={row.id} text={rowText(row)} />
      </div>
    </div>
  )
})

/** The words of a message, cut when long. Shared with messages that were not sent. */
export function PersonText({ id, text }: { readonly id: string; readonly text: string }) {
  const [open, turn] = useDisclosure(`text:${id}`)
  if (text === '') return null
  const cut = cutText(text)
  return (
    <div className="max-w-full rounded-large bg-raised px-3 py-2">
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {open || cut === null ? text : `${cut.text}…`}
      </p>
      {cut !== null && (
        <Button kind="quiet" small aria-expanded={open} onClick={turn} className="mt-1 -ml-2">
          {open ? 'Show less' : `Show all ${cut.lines > LINES_SHOWN ? countText(cut.lines, 'line') : ''}`.trim()}
        </Button>
      )}
    </div>
  )
}

function Attachments({ parts }: { readonly parts: readonly FilePart[] }) {
  if (parts.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex max-w-full flex-wrap justify-end gap-2">
      {parts.map((part, index) => (
        <li key={index} className="max-w-full">
          <AttachmentView part={part} />
        </li>
      ))}
    </ul>
  )
}

function filesOf(row: Row): FilePart[] {
  return row.parts.filter((part): part is FilePart => isKnownPart(part) && part.type === 'file')
}

/** The beginning of a long text and how many lines it has; null when it is shown whole. */
function cutText(text: string): { text: string; lines: number } | null {
  const lines = text.split('\n')
  // A little over the limit is shown: a button for two lines helps nobody.
  if (lines.length <= LINES_SHOWN + 4 && text.length <= CHARS_SHOWN * 1.3) return null
  return { text: lines.slice(0, LINES_SHOWN).join('\n').slice(0, CHARS_SHOWN).trimEnd(), lines: lines.length }
}
