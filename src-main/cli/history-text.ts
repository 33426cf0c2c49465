// Owns how an answer of session_history reads on a terminal. Pure.
import type { HistoryHit, HistoryWindow, SessionHistoryOutput } from '@common/tools/session-history-contract'

/** Text for stdout. */
export function historyText(answer: SessionHistoryOutput): string {
  const lines = 'windows' in answer ? windowLines(answer.windows) : 'items' in answer ? hitLines(answer.items) : []
  const text = 'item' in answer && answer.item !== null ? [answer.item.text] : lines
  return `${[...text, ...endLines(answer)].join('\n')}\n`
}

function windowLines(windows: readonly HistoryWindow[]): string[] {
  return windows.map((window) => {
    const sequences = window.first_sequence === null ? '' : `  ${window.first_sequence}–${window.last_sequence}`
    const items = `${window.items}${window.items_complete === false ? '+' : ''} items`
    const opening = window.opening === '' ? '' : `  ${oneLine(window.opening)} (${window.opening_item_id})`
    return `${window.window_id}  ${window.kind}${window.current ? ', current' : ''}${sequences}  ${items}${opening}`
  })
}

function hitLines(hits: readonly HistoryHit[]): string[] {
  if (hits.length === 0) return ['No hits.']
  return hits.map((hit) => {
    const who = hit.tool_name === null ? hit.role : `${hit.role}, ${hit.tool_name}`
    return `${hit.item_id}  ${hit.window_id}  ${who}  ${hit.at ?? ''}\n    ${oneLine(hit.snippet)}`
  })
}

/** What a reader must know before believing that this was all. */
function endLines(answer: SessionHistoryOutput): string[] {
  const skipped = answer.skipped_oversized_rows
  const lines = skipped === 0 ? [] : [`${skipped} rows are too long to be looked at.`]
  if ('item' in answer && answer.item !== null && answer.item.next_offset_chars !== null)
    lines.push(`There is more of it: --offset-chars ${answer.item.next_offset_chars}`)
  if (answer.cursor !== null) lines.push(`There is more to look at: --cursor ${answer.cursor}`)
  return lines
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}
