// Proves how a person's search goes on (S-9): it never claims to have looked at everything when it has not.
import { describe, expect, it } from 'vitest'
import { begunSearch, NO_SEARCH, withAnswer, withSearchProblem } from './search-state'

const begun = begunSearch({ ...NO_SEARCH, query: ' retry ' }, 'everywhere', ['ws-1', 'ws-2'])
const answer = (cursor: string | null) => ({ items: [], cursor, skipped_oversized_rows: 1 })

describe('S-9: a search by a person', () => {
  it('looks at one workspace after the other, each to its beginning', () => {
    expect(begun).toMatchObject({ searched: 'retry', phase: 'searching', run: 1 })
    const further = withAnswer(begun, answer('c1'))
    expect(further.targets[0]).toEqual({ workspaceId: 'ws-1', cursor: 'c1' })
    const next = withAnswer(further, answer(null))
    expect(next).toMatchObject({ phase: 'searching', skippedRows: 2, targets: [{ workspaceId: 'ws-2', cursor: null }] })
    expect(withAnswer(next, answer(null)).phase).toBe('done')
  })

  it('goes on after a workspace that cannot be searched, and says so', () => {
    const failed = withSearchProblem(begun, 'It is locked.')
    expect(failed).toMatchObject({ problem: 'It is locked.', phase: 'searching' })
    expect(failed.targets).toHaveLength(1)
  })

  it('looks for nothing when nothing is asked', () => {
    expect(begunSearch({ ...NO_SEARCH, query: '  ' }, 'ws-1', ['ws-1'])).toMatchObject({ phase: 'idle', targets: [] })
  })
})
