// Owns the words for what a compaction carries over (K-8). Pure.
import type { CarriedItem, CarryOverView } from '@common/contract/context-views'

export interface CarryLine {
  readonly id: string
  readonly isOn: boolean
  readonly name: string
  /** Null where the name says it all. */
  readonly hint: string | null
}

/** A line for each item, in the order in which they are carried. */
export function carryLines({ items }: CarryOverView): CarryLine[] {
  return items.map((item) => ({ id: item.id, isOn: item.isOn, ...wordsOf(item) }))
}

function wordsOf(item: CarriedItem): { name: string; hint: string | null } {
  switch (item.kind) {
    case 'plan':
      return { name: 'Plan', hint: item.problem === null ? item.path : `${item.path}: ${item.problem}` }
    case 'file':
      return { name: item.path, hint: `edited, +${item.added} −${item.removed} lines` }
    case 'todo':
      return { name: 'To-do list', hint: item.count === 1 ? '1 item' : `${item.count} items` }
    case 'skill':
      return { name: `Skill ${item.name}`, hint: null }
  }
}

/** What is carried, in a word or two: beside the heading. */
export function carrySummary({ isOn, items }: CarryOverView): string {
  if (!isOn) return 'nothing'
  const on = items.filter((item) => item.isOn).length
  if (items.length === 0) return 'nothing yet'
  return on === items.length ? `all ${on}` : `${on} of ${items.length}`
}

/** The view after a switch was moved, until main says how it is; null is the switch for all. */
export function withMoved(view: CarryOverView, itemId: string | null, isOn: boolean): CarryOverView {
  if (itemId === null) return { ...view, isOn }
  return { ...view, items: view.items.map((item) => (item.id === itemId ? { ...item, isOn } : item)) }
}
