// Owns the list of requests as it is paged in: the newest first, older ones when the list comes to its end, and anew
// after each answer of the session.
import { useState } from 'react'
import type { InspectedRequest } from '@common/contract/inspector-views'
import { readRequests } from '../store/actions/inspector-actions'
import { useApp, useAppState } from '../store/app-context'
import { joinedRequests } from './joined-requests'
import { useAnswer, type Asked } from './use-answer'

export interface RequestListState {
  readonly requests: readonly InspectedRequest[]
  readonly total: number
  readonly damagedLines: number
}

interface Known {
  readonly key: string
  /** All that were listed when the last older page came. */
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
  const usage = useAppState((state) => state.sessions[workspaceId]?.usage ?? null)
  const { asked, again } = useAnswer(key, () => readRequests(app, workspaceId, windowId, null), usage)
  const [held, setHeld] = useState<Known | null>(null)
  if (asked.kind !== 'ready') return { list: asked, onEnd: () => undefined, again }
  const { requests: page, total, damagedLines, before: pageBefore } = asked.value
  const known = held?.key === key ? held : null
  const joined = known === null ? null : joinedRequests(page, known.requests)
  const requests = joined ?? page
  const before = known === null || joined === null ? pageBefore : known.before

  async function readOn(from: number): Promise<void> {
    setHeld({ key, requests, before: from, isAsking: true })
    const answer = await readRequests(app, workspaceId, windowId, from)
    const next = answer.ok ? [...requests, ...answer.value.requests] : requests
    setHeld({ key, requests: next, before: answer.ok ? answer.value.before : from, isAsking: false })
  }
  return {
    list: { kind: 'ready', value: { requests, total, damagedLines } },
    onEnd: () => {
      if (before !== null && known?.isAsking !== true) void readOn(before)
    },
    again: () => {
      setHeld(null)
      again()
    }
  }
}
