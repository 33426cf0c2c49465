// Owns the one way into session_history, for the tool and the command line alike: input checked, action done, answer
// under its cap.
import type { Result } from '@common/result'
import {
  type HistoryFailure,
  SessionHistoryInput,
  type SessionHistoryOutput
} from '@common/tools/session-history-contract'
import type { HistoryBrowser } from './history-browser'
import { invalidInput } from './history-failures'
import type { Viewer } from './item-rules'
import { listWindowsPage } from './list-windows'
import { readItem } from './read-item'
import { checkSize } from './result-size'
import { searchHistory } from './search-history'

/** Answers one call; the input is untrusted. Null and missing fields are the same. */
export async function callSessionHistory(
  browser: HistoryBrowser,
  input: unknown,
  viewer: Viewer
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const parsed = SessionHistoryInput.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return invalidInput(issue?.path.join('.') || 'input', issue?.message ?? 'it cannot be used.')
  }
  const answer = await act(browser, parsed.data, viewer)
  return answer.ok ? { ok: true, value: checkSize(answer.value) } : answer
}

function act(
  browser: HistoryBrowser,
  input: SessionHistoryInput,
  viewer: Viewer
): Promise<Result<SessionHistoryOutput, HistoryFailure>> {
  const { action, query, item_id: itemId, window_id: windowId = null, limit = null, cursor = null } = input
  switch (action) {
    case 'list_windows':
      return listWindowsPage(browser, { viewer, limit, cursor })
    case 'search':
      if (query === null || query === undefined) return missing('query', 'search needs the text to find.')
      return searchHistory(browser, { viewer, query, windowId, limit, cursor })
    case 'read_item': {
      if (itemId === null || itemId === undefined) return missing('item_id', 'read_item needs the id of an item.')
      const { offset_chars: offsetChars = null, limit_chars: limitChars = null } = input
      return readItem(browser, { viewer, itemId, cursor, offsetChars, limitChars })
    }
  }
}

function missing(field: string, problem: string): Promise<Result<never, HistoryFailure>> {
  return Promise.resolve(invalidInput(field, problem))
}
