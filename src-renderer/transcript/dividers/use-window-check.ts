// Owns what a divider knows of the window that ended there: asked for when it comes into view, and by the person.
import { useEffect, useState } from 'react'
import type { Row } from '@common/rows/row-schema'
import { useTranscriptActions } from '../transcript-actions'
import type { WindowCheck } from './window-check-texts'

export interface EndedWindow {
  /** Null until the first answer. */
  readonly check: WindowCheck | null
  /** What the person's own check found since the divider was opened; null before. */
  readonly asked: WindowCheck | 'running' | null
  readonly verify: () => void
}

/** `boundary` is the row of the divider: a history that was read anew brings another one, and the question again. */
export function useWindowCheck(windowId: string | null, boundary: Row): EndedWindow {
  const { windowChecks } = useTranscriptActions()
  const [check, setCheck] = useState(() => (windowId === null ? null : (windowChecks?.known(windowId) ?? null)))
  const [asked, setAsked] = useState<EndedWindow['asked']>(null)
  useEffect(
    () => (windowId === null ? undefined : windowChecks?.look(windowId, setCheck)),
    [windowChecks, windowId, boundary]
  )
  async function verify(): Promise<void> {
    if (windowId === null || windowChecks === undefined) return
    setAsked('running')
    const found = await windowChecks.verify(windowId)
    setAsked(found)
    setCheck(found)
  }
  return { check, asked, verify: () => void verify() }
}
