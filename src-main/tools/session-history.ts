// Owns the session_history tool (S-1): what an agent reads of the conversation's own past. It reads nothing but the
// app's own files, so it never asks; what it may see is decided where it is read.
import { ok } from '@common/result'
import { callSessionHistory } from '../history-search/session-history'
import { defineTool, touchesNothing } from './define-tool'

export const sessionHistory = defineTool('session_history', {
  touch: ({ action, query, item_id: itemId }) =>
    Promise.resolve(
      ok(touchesNothing({ kind: 'other', text: [action, query ?? itemId].filter((part) => part != null).join(' ') }))
    ),
  async execute(input, run) {
    if (run.abortSignal.aborted) return { kind: 'interrupted', message: 'The history was not read.' }
    const answer = await callSessionHistory(run.history, input, 'agent')
    // A failure keeps its fields: a stale cursor says how to begin anew, an ambiguous id what it may be.
    return answer.ok
      ? { kind: 'done', output: answer.value }
      : { kind: 'failed', message: JSON.stringify(answer.error) }
  }
})
