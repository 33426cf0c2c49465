// Owns how an opened line shows what the agent was given of files: the words and contents as they are, in a box of
// their own when long, and pictures as in a message.
import type { RowKind } from '@common/rows/row-kinds'
import { isKnownPart, type Row } from '@common/rows/row-schema'
import { ScrollBox } from '../../ui/scroll-box'
import { AttachmentView } from '../rows/attachment-view'

/** True for kinds whose text is mostly lines of files. */
export function isFileText(kind: RowKind): boolean {
  return kind === 'prelude' || kind === 'file-change-notice'
}

function boxLabel({ metadata }: Row): string {
  const path = metadata.machine?.['path']
  return typeof path === 'string' ? `Content of ${path}` : 'What changed on disk'
}

export function FileText({ id, row, text }: { readonly id: string; readonly row: Row; readonly text: string }) {
  const files = row.parts.filter((part) => isKnownPart(part)).filter((part) => part.type === 'file')
  return (
    <div id={id} className="mt-1 flex flex-col gap-2 border-s-2 border-line ps-3">
      <ScrollBox label={boxLabel(row)} className="max-h-80">
        <pre dir="auto" className="font-mono text-small whitespace-pre-wrap wrap-anywhere">
          {text}
        </pre>
      </ScrollBox>
      {files.map((part, index) => (
        <AttachmentView key={index} part={part} />
      ))}
    </div>
  )
}
