// Owns which notices pop up: those that came since the window started and were not yet read, the newest few.
import { useState } from 'react'
import { selectWorkspace } from '../store/actions/session-actions'
import { useApp, useAppState } from '../store/app-context'
import type { NoticeEntry } from '../store/app-state'
import { Toasts, type ToastItem } from '../ui/toast'

/** More at once would hide the conversation; the others wait under the bell. */
const MAX_TOASTS = 3

export function NoticeToasts() {
  const app = useApp()
  const entries = useAppState((state) => state.notices)
  const openId = useAppState((state) => state.selectedWorkspaceId)
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const toasts = entries
    .filter((entry) => !entry.read && !dismissed.has(entry.notice.id))
    .slice(-MAX_TOASTS)
    .map((entry) => toastOf(entry, openId, (workspaceId) => void selectWorkspace(app, workspaceId)))
  return <Toasts toasts={toasts} onDismiss={(id) => setDismissed((known) => new Set(known).add(id))} />
}

function toastOf(entry: NoticeEntry, openId: string | null, open: (workspaceId: string) => void): ToastItem {
  const { notice, workspaceId } = entry
  const elsewhere = workspaceId !== null && workspaceId !== openId
  return {
    id: notice.id,
    level: notice.level,
    message: notice.message,
    ...(elsewhere ? { action: { label: 'Open', onSelect: () => open(workspaceId) } } : {})
  }
}
