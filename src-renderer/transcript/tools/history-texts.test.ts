// Proves the words of the session_history card (U-7).
import { describe, expect, it } from 'vitest'
import { historyLine, historyNotices, historyResult } from './history-texts'

describe('U-7: the session_history card in words', () => {
  it('says what was asked', () => {
    expect(historyLine({ action: 'search', query: 'retry budget' })).toBe('searched earlier windows for “retry budget”')
    expect(historyLine({ action: 'search', query: 'x', window_id: 'w:41', cursor: 'c' })).toBe(
      'searched on in window w:41 for “x”'
    )
    expect(historyLine({ action: 'read_item', item_id: 'i:57' })).toBe('read i:57')
    expect(historyLine({ action: 'list_windows' })).toBe('listed the windows')
    expect(historyLine(null)).toBe('')
  })

  it('counts hits and the windows that they are in', () => {
    const items = [{ window_id: 'w:1' }, { window_id: 'w:1' }, { window_id: 'w:9' }]
    expect(historyResult({ items, exhausted: true })).toBe('3 hits in 2 windows')
    expect(historyResult({ items: [], exhausted: true })).toBe('no hits')
    expect(historyResult({ items: [], exhausted: false })).toBe('no hits so far')
    expect(historyResult({ error: 'stale_cursor' })).toBe('stale cursor')
    expect(historyResult({ item: {} })).toBeNull()
  })

  it('never claims to have looked at everything', () => {
    expect(historyNotices({ exhausted: true, skipped: 0, goesOn: false }, 'hits')).toEqual([])
    expect(historyNotices({ exhausted: false, skipped: 2, goesOn: true }, 'hits')).toEqual([
      'Not everything was looked at yet: more may follow.',
      '2 rows too long to search were skipped.'
    ])
  })
})
