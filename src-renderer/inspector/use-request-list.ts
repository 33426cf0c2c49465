// Owns the list of requests as it is paged in: the newest first, older ones when the list comes to its end.
import { useState } from 'react'
import type { InspectedRequest } from '@common/contract/inspector-views'
import { readRequests } from '../store/actions/inspector-actions'
import { useApp } from '../store/app-context'
import { useAnswer, type Asked } from './use-answer'

export interface RequestListState {
  readonly requests: readonly InspectedRequest[]
  readonly total: number
  readonly damagedLines: number
}

interface Older {
  readonly key: string
  readonly requests: readonly InspectedRequest[]
  readonly before: number | null
  readonly isAsking: boolean
}

export function useRequestList(
  workspaceId: string,
  windowId: string | null
): { readonly list: Asked<RequestListState>; readonly onEnd: () => void; readonly again: () => void } {
  const app = useApp()
  const key = `${workspaceId} ${windowId ?? 'all'}`
  const { asked, again } = useAnswer(key, () => readRequests(app, workspaceId, windowId, null))
  const [held, setHeld] = useState<Older | null>(null)
  const older = held?.key === key ? held : null
  if (asked.kind !== 'ready') return { list: asked, onEnd: () => undefined, again }
  const { requests, total, damagedLines, before: firstBefore } = asked.value
  const before = older === null ? firstBefore : older.before
  const all = older === null ? requests : [...requests, ...older.requests]

  async function readOn(from: number): Promise<void> {
    const known = older?.requests ?? []
    setHeld({ key, requests: known, before: from, isAsking: true })
    const answer = await readRequests(app, workspaceId, windowId, from)
    const next = answer.ok ? [...known, ...answer.value.requests] : known
    setHeld({ key, requests: next, before: answer.ok ? answer.value.before : from, isAsking: false })
  }
  return {
    list: { kind: 'ready', value: { requests: all, total, damagedLines } },
    onEnd: () => {
      if (before !== null && older?.isAsking !== true) void readOn(before)
    },
    again: () => {
      setHeld(null)
      again()
    }
  }
}
