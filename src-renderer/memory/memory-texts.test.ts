// Proves the words of the memory panel (Y-3).
import { describe, expect, it } from 'vitest'
import { fakeMemory } from '../testing/fake-memories'
import { memoryFacts, memoryName, memoryNote, preloadText } from './memory-texts'

const viewOf = (changes: Parameters<typeof fakeMemory>[2] = {}) =>
  fakeMemory('/memories/project/api/errors.md', 'x'.repeat(1_434), changes).view

describe('Y-3: what the panel says of a memory', () => {
  it('names it below its scope, with size and use', () => {
    expect(memoryName(viewOf().path)).toBe('api/errors.md')
    expect(memoryFacts(viewOf())).toBe('1.4 KB · never used')
    expect(memoryFacts(viewOf({ accessCount: 1 }))).toBe('1.4 KB · used once')
    expect(memoryFacts(viewOf({ accessCount: 7 }))).toBe('1.4 KB · used 7 times')
  })

  it('says why one was skipped and that one changed since', () => {
    expect(memoryNote(viewOf())).toBeNull()
    expect(memoryNote(viewOf({ skipped: 'too-long' }))).toContain('16 KB')
    expect(memoryNote(viewOf({ preloaded: true, changedSincePreload: true }))).toContain('Changed since')
    expect(memoryNote(viewOf({ preloaded: true, preloadCut: true }))).toContain('Only its beginning')
  })

  it('promises nothing before the window begins', () => {
    expect(preloadText([], false)).toContain('first message')
    expect(preloadText([viewOf()], true)).toContain('Nothing')
    expect(preloadText([viewOf({ preloaded: true })], true)).toBe('1 memory preloaded into this window.')
  })
})
