// Owns the detail of a change to a file: its diff. How much it adds and takes away stands on the card's line.
import { CopyButton } from '../../ui/copy-button'
import { DiffView } from '../../ui/diff-view'
import { bytesText, countText } from '../../ui/format'

export interface ChangeDetailProps {
  readonly change: {
    readonly path: string
    readonly diff: string
    readonly added: number
    readonly removed: number
    readonly created?: boolean
    readonly bytes?: number
    readonly replacements?: number
  }
}

export function ChangeDetail({ change }: ChangeDetailProps) {
  return (
    <>
      <div className="flex min-h-8 items-center gap-3 pr-1 pl-3 text-micro text-quiet">
        <span className="min-w-0 flex-1 truncate">{factsOf(change)}</span>
        <CopyButton text={() => change.diff} label="Copy diff" />
      </div>
      <div className="border-t border-line bg-sunken py-1">
        <DiffView diff={change.diff} />
      </div>
    </>
  )
}

export function ChangeCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="shrink-0 font-mono tabular-nums">
      {(added > 0 || removed === 0) && <span className="text-ok">+{added}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="text-danger">−{removed}</span>}
    </span>
  )
}

function factsOf({ created, bytes, replacements }: ChangeDetailProps['change']): string {
  const facts = [
    created === true ? 'New file' : null,
    bytes === undefined ? null : bytesText(bytes),
    replacements === undefined ? null : countText(replacements, 'replacement')
  ]
  return facts.filter((fact) => fact !== null).join(' · ')
}
