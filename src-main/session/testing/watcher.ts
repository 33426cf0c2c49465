// Owns a watcher as a window is one: a snapshot, then the events after it, each counted, none skipped, none twice.
// What it pictures in the end must be what a snapshot of that moment holds (T-3).
import type { SessionEvent } from '@common/contract/events'
import type { SessionSnapshot } from '@common/contract/views'
import { isKnownPart } from '@common/rows/row-schema'
import type { Row } from '@common/rows/row-schema'
import { rowsOfLines } from '../../testing/test-app'
import type { AgentSession } from '../agent-session'
import type { SessionBatch } from '../turn-events'

export interface Picture {
  readonly rows: Row[]
  live: Row | null
  status: SessionSnapshot['status']
  queue: SessionSnapshot['queue']
  approvals: SessionSnapshot['approvals']
  questions: SessionSnapshot['questions']
  todo: SessionSnapshot['todo']
  notices: SessionSnapshot['notices']
}

export interface Watcher {
  readonly picture: Picture
  /** Gaps, events told twice, rows told twice: empty when all is well. */
  readonly problems: readonly string[]
  stop(): void
}

/** Subscribes first and asks then, as the handler of `workspace.open` does. */
export async function watchSession(session: AgentSession): Promise<Watcher> {
  const early: SessionBatch[] = []
  const stopEarly = session.events.subscribe((batch) => early.push(batch))
  const snapshot = await session.snapshot()
  if (!snapshot.ok) throw new Error(snapshot.error.message)
  stopEarly()
  const problems: string[] = []
  const picture = pictureOf(snapshot.value)
  let told = snapshot.value.sequence
  const hear = ({ firstSequence, events }: SessionBatch): void => {
    for (const [index, event] of events.entries()) {
      const sequence = firstSequence + index
      if (sequence <= told) continue
      if (sequence !== told + 1) problems.push(`event ${sequence} after ${told}`)
      told = sequence
      const problem = applyEvent(picture, event)
      if (problem !== null) problems.push(`event ${sequence}: ${problem}`)
    }
  }
  for (const batch of early) hear(batch)
  return { picture, problems, stop: session.events.subscribe(hear) }
}

/** What a snapshot shows. */
export function pictureOf(snapshot: SessionSnapshot): Picture {
  const { live, status, queue, approvals, questions, todo, notices } = snapshot
  return { rows: rowsOfLines(snapshot.page.lines), live, status, queue, approvals, questions, todo, notices }
}

function applyEvent(picture: Picture, event: SessionEvent): string | null {
  switch (event.type) {
    case 'row-appended':
      if (picture.rows.some((row) => row.id === event.row.id)) return `row ${event.row.id} was there already`
      picture.rows.push(event.row)
      if (picture.live?.id === event.row.id) picture.live = null
      return null
    case 'row-updated': {
      const at = picture.rows.findIndex((row) => row.id === event.row.id)
      if (at < 0) return `row ${event.row.id} was changed and is not there`
      picture.rows[at] = event.row
      return null
    }
    case 'live-started':
      picture.live = structuredClone(event.row)
      return null
    case 'live-dropped':
      if (picture.live?.id === event.rowId) picture.live = null
      return null
    case 'part-set':
      return onLive(picture, event.rowId, ({ parts }) => (parts[event.partIndex] = { ...event.part }))
    case 'text-delta':
    case 'reasoning-delta':
      return onLive(picture, event.rowId, ({ parts }) => {
        const part = parts[event.partIndex]
        if (part !== undefined && isKnownPart(part) && (part.type === 'text' || part.type === 'reasoning'))
          part.text += event.text
      })
    case 'status-changed':
      picture.status = event.status
      return null
    case 'queue-changed':
      picture.queue = event.queue
      return null
    case 'approvals-changed':
      picture.approvals = event.approvals
      return null
    case 'questions-changed':
      picture.questions = event.questions
      return null
    case 'todo-changed':
      picture.todo = event.todo
      return null
    case 'notice':
      if (picture.notices.some((notice) => notice.id === event.notice.id)) return 'a notice was there already'
      picture.notices = [...picture.notices, event.notice]
      return null
    default:
      return null
  }
}

function onLive(picture: Picture, rowId: string, change: (row: Row) => unknown): string | null {
  if (picture.live?.id !== rowId) return `row ${rowId} does not stream`
  change(picture.live)
  return null
}
