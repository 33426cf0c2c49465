// Owns the words of the session_history card (U-7). Pure; inputs and outputs are read as tolerantly as they were stored.
import type { HistoryHit, HistoryWindow } from '@common/tools/session-history-contract'
import { countText } from '../../ui/format'
import { fieldOf, listField, textField } from './tool-fields'

/** What was asked, in words. */
export function historyLine(input: unknown): string {
  const action = textField(input, 'action')
  const goesOn = textField(input, 'cursor') !== null
  switch (action) {
    case 'search': {
      const windowId = textField(input, 'window_id')
      const place = windowId === null ? 'earlier windows' : `window ${windowId}`
      return `${goesOn ? 'searched on in' : 'searched'} ${place} for “${textField(input, 'query') ?? ''}”`
    }
    case 'list_windows':
      return goesOn ? 'listed more windows' : 'listed the windows'
    case 'read_item':
      return `${goesOn ? 'read on in' : 'read'} ${textField(input, 'item_id') ?? 'an item'}`
    default:
      return action ?? ''
  }
}

/** The result in a few words, such as `7 hits in 3 windows`; null when there is none to count. */
export function historyResult(output: unknown): string | null {
  const error = textField(output, 'error')
  if (error !== null) return error.replaceAll('_', ' ')
  if (fieldOf(output, 'windows') !== undefined) return countText(listField(output, 'windows').length, 'window')
  if (fieldOf(output, 'items') === undefined) return null
  const hits = listField(output, 'items')
  if (hits.length === 0) return fieldOf(output, 'exhausted') === true ? 'no hits' : 'no hits so far'
  const windows = new Set(hits.map((hit) => textField(hit, 'window_id')))
  return `${countText(hits.length, 'hit')} in ${countText(windows.size, 'window')}`
}

export interface HistoryEnd {
  readonly exhausted: boolean
  readonly skipped: number
  readonly goesOn: boolean
}

/** What a result must say of its own limits; empty when it is the whole truth. */
export function historyNotices({ exhausted, skipped, goesOn }: HistoryEnd, what: 'hits' | 'windows'): string[] {
  const notices: string[] = []
  if (goesOn) notices.push(exhausted ? `More ${what} follow.` : `Not everything was looked at yet: more may follow.`)
  else if (!exhausted) notices.push('Not everything was looked at.')
  if (skipped > 0)
    notices.push(`${countText(skipped, 'row')} too long to search ${skipped === 1 ? 'was' : 'were'} skipped.`)
  return notices
}

/** Hits under the window that they are in, in the order in which they came. */
export function hitsByWindow(hits: readonly HistoryHit[]): Array<[windowId: string, hits: HistoryHit[]]> {
  const windows = new Map<string, HistoryHit[]>()
  for (const hit of hits) windows.set(hit.window_id, [...(windows.get(hit.window_id) ?? []), hit])
  return [...windows]
}

/** Who said it: the person, the agent, or one of its tools. */
export function speakerText(role: 'user' | 'assistant', toolName: string | null): string {
  return toolName ?? (role === 'user' ? 'person' : 'agent')
}

export const WINDOW_KINDS: Record<HistoryWindow['kind'], string> = {
  root: 'beginning',
  rollover: 'rollover',
  compaction: 'compaction',
  reset: 'reset'
}

/** Counts of a window, such as `41–57 · 12 items`. */
export function windowFacts(window: HistoryWindow): string {
  const { first_sequence: first, last_sequence: last, items, items_complete: complete } = window
  const range = first === null || last === null ? [] : [`${first}–${last}`]
  return [...range, `${complete === false ? 'at least ' : ''}${countText(items, 'item')}`].join(' · ')
}
