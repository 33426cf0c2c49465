// Owns the words of an edit: what sending it cuts. Pure.
import { countText } from '../ui/format'
import type { RowCut } from '../store/row-cut'

/** What sending the edit does. */
export function cutText({ messages, windows }: RowCut): string {
  if (messages === 0 && windows === 0) return 'Editing the last message.'
  const what = [
    messages > 0 ? countText(messages, 'message') : null,
    windows > 0 ? countText(windows, 'later window') : null
  ].filter((each) => each !== null)
  return `Editing an earlier message. Sending cuts ${what.join(' and ')} after it.`
}
