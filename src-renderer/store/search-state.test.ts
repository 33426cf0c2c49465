// Proves how a person's search goes on (S-9): it never claims to have looked at everything when it has not.
import { describe, expect, it } from 'vitest'
import { begunSearch, NO_SEARCH, withAnswer, withSearchProblem } from './search-state'

const begun = begunSearch({ ...NO_SEARCH, query: ' retry ' }, 'everywhere')
const answer = (cursor: string | null, problems: string[] = []) => ({
  items: [],
  memories: [],
  cursor,
  problems,
  skipped_oversized_rows: 1
})

describe('S-9: a search by a person', () => {
  it('goes on from cursor to cursor until there is none', () => {
    expect(begun).toMatchObject({ searched: 'retry', searchedIn: 'everywhere', phase: 'searching', run: 1 })
    const further = withAnswer(begun, answer('c1'))
    expect(further).toMatchObject({ phase: 'searching', cursor: 'c1' })
    expect(withAnswer(further, answer(null))).toMatchObject({ phase: 'done', cursor: null, skippedRows: 2 })
  })

  it('says what could not be searched, and that it did not go on', () => {
    expect(withAnswer(begun, answer('c1', ['It is locked.']))).toMatchObject({
      problems: ['It is locked.'],
      phase: 'searching'
    })
    expect(withSearchProblem(begun, 'No.')).toMatchObject({ problems: ['No.'], phase: 'failed' })
  })

  it('begins with nothing of the search before, and looks for nothing when nothing is asked', () => {
    const before = withSearchProblem(withAnswer(begun, answer('c1')), 'No.')
    expect(begunSearch({ ...before, query: 'new' }, 'ws-1')).toMatchObject({ problems: [], cursor: null, run: 2 })
    expect(begunSearch({ ...NO_SEARCH, query: '  ' }, 'ws-1')).toMatchObject({ phase: 'idle', searched: '' })
  })
})
