// Owns how a request differs from the one before it: what both begin with, what changed first, and its text as a diff.
import type { InspectedContent } from '@common/contract/inspector-views'
import { DiffView } from '../ui/diff-view'
import { differenceText } from './inspector-texts'

export function RequestDifference({
  difference,
  previousSequence
}: Pick<InspectedContent, 'difference' | 'previousSequence'>) {
  if (previousSequence === null)
    return <p className="text-small text-quiet">It is the first request: there is none before it.</p>
  if (difference === null)
    return (
      <p className="text-small text-quiet">
        One of the two cannot be compared: a line of the log that it rests on cannot be read.
      </p>
    )
  const { shared, added, removed, first, diff } = difference
  return (
    <div className="flex flex-col gap-2">
      <p className="text-small tabular-nums">
        Against request {previousSequence}: {differenceText(shared, added, removed)}.
      </p>
      {first === null && (
        <p className="text-small text-quiet">
          It only adds to what was sent before, so a provider can read all of that from its cache.
        </p>
      )}
      {diff !== '' && (
        <div className="overflow-hidden rounded-regular border border-line py-1">
          <DiffView diff={diff} />
        </div>
      )}
    </div>
  )
}
