// Owns a session that a play function drives while its transcript is on screen.
import { useSyncExternalStore } from 'react'
import type { Row } from '@common/rows/row-schema'
import { buildDisplayRows } from '@common/rows/display-rows'
import type { DisplayItem } from '@common/rows/display-items'
import { rowSource, text } from '../../src-renderer/testing/row-builders'
import { IDLE, streamingStatus, TranscriptStage } from './transcript-stage'
import type { TranscriptStageProps } from './transcript-stage'

interface SessionRows {
  readonly rows: readonly Row[]
  readonly live: Row | null
}

export interface StorySession {
  read(): SessionRows
  watch(onChange: () => void): () => void
  append(...rows: readonly Row[]): void
  prepend(rows: readonly Row[]): void
  /** Streams text into the live row; the first call begins it. */
  grow(delta: string): void
  /** The live row becomes a stored one. */
  settle(): void
}

export function storySession(rows: readonly Row[]): StorySession {
  let state: SessionRows = { rows, live: null }
  let words = ''
  const watchers = new Set<() => void>()
  const change = (next: SessionRows) => {
    state = next
    for (const onChange of watchers) onChange()
  }
  return {
    read: () => state,
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    append: (...more) => change({ ...state, rows: [...state.rows, ...more] }),
    prepend: (older) => change({ ...state, rows: [...older, ...state.rows] }),
    grow(delta) {
      words += delta
      change({ ...state, live: rowSource('live').assistant([text(words)]) })
    },
    settle() {
      if (state.live !== null) change({ rows: [...state.rows, state.live], live: null })
      words = ''
    }
  }
}

export type StorySessionStageProps = Omit<TranscriptStageProps, 'rows' | 'liveRow' | 'status'> & {
  readonly session: StorySession
}

export function StorySessionStage({ session, ...rest }: StorySessionStageProps) {
  const { rows, live } = useSyncExternalStore(session.watch, session.read)
  return <TranscriptStage {...rest} rows={rows} liveRow={live} status={live === null ? IDLE : STREAMING} />
}

const STREAMING = streamingStatus()

/** Resolves after the page has painted: a frame, then a task. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}

/** Items of rows whose segments count how often they are read: once for each time that the row is drawn. */
export function countedItems(rows: readonly Row[], onDraw: (key: string) => void): readonly DisplayItem[] {
  const { items } = buildDisplayRows({ rows, busy: false, hasOlder: false, skippedLines: 0, debug: false })
  return items.map((item) =>
    item.kind === 'assistant'
      ? {
          ...item,
          get segments() {
            onDraw(item.key)
            return item.segments
          }
        }
      : item
  )
}
