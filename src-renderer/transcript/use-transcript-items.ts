// Owns the items of the session on screen from render to render: each build goes onto the one before, so
// that what did not change stays the same object.
import { useMemo, useState } from 'react'
import { buildDisplayRows, buildTailItems } from '@common/rows/display-rows'
import type { DisplayInput, DisplayRows, TailInput } from '@common/rows/display-rows'
import type { DisplayItem } from '@common/rows/display-items'

export interface TranscriptItems {
  readonly rows: DisplayRows
  readonly tail: readonly DisplayItem[]
}

export interface TranscriptItemsInput extends DisplayInput, Omit<TailInput, 'lastRow'> {
  /** The rows end before the newest one: what comes after the newest has no place here. */
  readonly apart?: boolean
}

const NO_TAIL: readonly DisplayItem[] = []

/** Items of a session. The building is idempotent: the same input gives the same objects. */
export function useTranscriptItems(input: TranscriptItemsInput): TranscriptItems {
  const [builder] = useState(createBuilder)
  const { rows, hasOlder, skippedLines, debug, live, status, waiting, apart = false } = input
  // The last turn may go on in rows that are not loaded.
  const busy = input.busy || apart
  const display = useMemo(
    () => builder.rows({ rows, busy, hasOlder, skippedLines, debug }),
    [builder, rows, busy, hasOlder, skippedLines, debug]
  )
  const lastRow = rows.at(-1) ?? null
  const tail = useMemo(
    () => (apart ? NO_TAIL : builder.tail({ live, status, lastRow, waiting })),
    [builder, apart, live, status, lastRow, waiting]
  )
  return { rows: display, tail }
}

function createBuilder() {
  let lastRows: DisplayRows | undefined
  let lastTail: readonly DisplayItem[] = []
  return {
    rows: (input: DisplayInput) => (lastRows = buildDisplayRows(input, lastRows)),
    tail: (input: TailInput) => (lastTail = buildTailItems(input, lastTail))
  }
}
