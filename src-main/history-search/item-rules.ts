// Owns which rows are items, for whom (S-4, S-9). It asks the row table; it has no list of its own.
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'

/** An agent sees what is its business above the privacy floor; a person sees what the screen shows, everywhere. */
export type Viewer = 'agent' | 'person'

/** True when the row's text may be read and found by this viewer. */
export function isItem(row: Row, viewer: Viewer): boolean {
  const { agentHistory, screen } = usesOf(row)
  if (viewer === 'person') return screen === 'message' || screen === 'line' || screen === 'not-sent'
  if (agentHistory === 'if-visible') return !(row.metadata.synthetic === true && row.metadata.uiVisible !== true)
  return agentHistory === 'yes'
}

/** A copy of a message in a fresh window is read like any row, but found once: where it was first said (P-7). */
export function isFoundElsewhere({ metadata }: Row): boolean {
  return typeof metadata.copyOf === 'string'
}

/** Where an item's parts stand: a capsule keeps them in its note (H-12). */
export function partsPathOf(row: Row): readonly string[] {
  return rowKindOf(row) === 'rejected-input' ? ['metadata', 'machine', 'parts'] : ['parts']
}
