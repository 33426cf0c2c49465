// Owns the keyboard of the transcript: Alt+↑↓ between turns, [ and ] between windows, End to the newest row.
import type { KeyboardEvent } from 'react'

export type TranscriptStep = 'previous-turn' | 'next-turn' | 'previous-window' | 'next-window'
export type TranscriptMove = TranscriptStep | 'latest'

type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** What a key asks for, or null. `typing`: a text field has the focus and wants its characters for itself. */
export function moveOfKey(event: Key, typing: boolean): TranscriptMove | null {
  if (event.ctrlKey || event.metaKey) return null
  if (event.altKey && !event.shiftKey) {
    if (event.key === 'ArrowUp') return 'previous-turn'
    if (event.key === 'ArrowDown') return 'next-turn'
  }
  if (event.altKey || typing) return null
  if (event.key === 'End' && !event.shiftKey) return 'latest'
  if (event.key === '[') return 'previous-window'
  return event.key === ']' ? 'next-window' : null
}

/** The index that a move leads to from `from`, or null when there is none in that direction. */
export function targetOfMove(
  move: TranscriptStep,
  from: number,
  count: number,
  stops: { readonly turnAt: (index: number) => boolean; readonly windowAt: (index: number) => boolean }
): number | null {
  const step = move.startsWith('previous') ? -1 : 1
  const isStop = move.endsWith('turn') ? stops.turnAt : stops.windowAt
  for (let index = from + step; index >= 0 && index < count; index += step) if (isStop(index)) return index
  return null
}
