// Owns when far rows leave memory (F-19): once the reader has come back to the end and stays there.
import { useEffect, useRef, type UIEvent } from 'react'
import { trimHistory } from '../store/actions/page-actions'
import type { App } from '../store/app-store'

/** Nearer to the end than this counts as being there. */
const END_SLACK_PX = 24
/** Somebody who only passes by the end keeps what was loaded. */
const STAY_MS = 2_000

/** A handler for the scrolling of the transcript. */
export function useTrimAtEnd(app: App, workspaceId: string): (event: UIEvent) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (event) => {
    const view = event.target
    if (!(view instanceof HTMLElement) || view.dataset['testid'] !== 'transcript') return
    clearTimeout(timer.current)
    if (!isAtEnd(view)) return
    timer.current = setTimeout(() => {
      if (view.isConnected && isAtEnd(view)) trimHistory(app, workspaceId)
    }, STAY_MS)
  }
}

function isAtEnd(view: HTMLElement): boolean {
  return view.scrollHeight - view.scrollTop - view.clientHeight <= END_SLACK_PX
}
