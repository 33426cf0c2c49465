// Owns the list of what the model did not see at a request, and why.
import type { InspectedContent } from '@common/contract/inspector-views'
import { Button } from '../ui/button'

export interface LeftOutListProps {
  readonly leftOut: InspectedContent['leftOut']
  readonly onGoToRow: (rowId: string) => void
}

export function LeftOutList({ leftOut, onGoToRow }: LeftOutListProps) {
  if (leftOut.length === 0)
    return <p className="text-small text-quiet">Nothing: the model was given the whole history.</p>
  return (
    <ul className="flex flex-col">
      {leftOut.map(({ what, why, rowId }) => (
        <li
          key={`${what} ${why}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-small last:border-b-0"
        >
          <span className="min-w-0 flex-1 basis-56">
            <span className="block font-medium tabular-nums">{what}</span>
            <span className="block text-quiet wrap-anywhere">{why}</span>
          </span>
          {rowId !== null && (
            <Button small onClick={() => onGoToRow(rowId)}>
              Go to it
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
