// Owns what each event does to the picture of a workspace. Pure: state in, state out; the same state
// comes back when nothing changed. Notices go to the app's list (receive-batch), not here.
import { MAX_LIVE_OUTPUT_CHARS } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import { isBoundary } from '@common/rows/boundaries'
import { toolPartsOf, type Row } from '@common/rows/row-schema'
import { growPart, setPart } from './live-row'
import { appendRow, replaceRow } from './loaded-history'
import type { SessionState } from './session-state'
import { withStartOf } from './window-starts'

/** The state after `event`. Sequence numbers are the business of apply-batch. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'row-appended':
      return {
        ...state,
        history: appendRow(state.history, event.row),
        windowStarts: withStartOf(state.windowStarts, event.row),
        historyChanges: state.historyChanges + 1,
        live: state.live?.id === event.row.id ? null : state.live,
        toolOutputs: withoutCallsOf(state.toolOutputs, event.row),
        // A fresh window holds nothing that was measured.
        usage: isBoundary(event.row) ? null : state.usage
      }
    case 'row-updated':
      return {
        ...state,
        history: replaceRow(state.history, event.row),
        historyChanges: state.historyChanges + 1
      }
    case 'live-started':
      return { ...state, live: event.row }
    case 'live-dropped':
      return state.live?.id === event.rowId ? { ...state, live: null } : state
    case 'text-delta':
      return withLive(state, event.rowId, (row) => growPart(row, event.partIndex, 'text', event.text))
    case 'reasoning-delta':
      return withLive(state, event.rowId, (row) => growPart(row, event.partIndex, 'reasoning', event.text))
    case 'part-set':
      return withLive(state, event.rowId, (row) => setPart(row, event.partIndex, event.part))
    case 'tool-output': {
      const text = ((state.toolOutputs[event.toolCallId] ?? '') + event.text).slice(-MAX_LIVE_OUTPUT_CHARS)
      return { ...state, toolOutputs: { ...state.toolOutputs, [event.toolCallId]: text } }
    }
    case 'tool-settled':
      return event.toolCallId in state.toolOutputs
        ? { ...state, toolOutputs: without(state.toolOutputs, [event.toolCallId]) }
        : state
    case 'usage':
      return { ...state, usage: event.view }
    case 'queue-changed':
      return { ...state, queue: event.queue }
    case 'status-changed':
      return { ...state, status: event.status }
    case 'approvals-changed':
      return { ...state, approvals: event.approvals }
    case 'questions-changed':
      return { ...state, questions: event.questions }
    case 'todo-changed':
      return { ...state, todo: event.todo }
    case 'turn-ended':
      // The next turn follows at once: nobody sees the session idle in between.
      return event.continues ? { ...state, status: { ...state.status, phase: 'preparing' } } : state
    // Told by status and usage already, or handled around this function.
    case 'budget':
    case 'notice':
    case 'history-rewritten':
      return state
  }
}

function withLive(state: SessionState, rowId: string, change: (row: Row) => Row): SessionState {
  if (state.live === null || state.live.id !== rowId) return state
  const live = change(state.live)
  return live === state.live ? state : { ...state, live }
}

function withoutCallsOf(outputs: SessionState['toolOutputs'], row: Row): SessionState['toolOutputs'] {
  return without(
    outputs,
    toolPartsOf(row).map((part) => part.toolCallId)
  )
}

function without(outputs: SessionState['toolOutputs'], toolCallIds: readonly string[]): SessionState['toolOutputs'] {
  const gone = toolCallIds.filter((id) => id in outputs)
  if (gone.length === 0) return outputs
  return Object.fromEntries(Object.entries(outputs).filter(([id]) => !gone.includes(id)))
}
