import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sequenceOfWindowFile, sequenceOfWindowId, splitModelRef, windowFileName, windowIdOf } from './ids'

const HOSTILE = ['', 'w:', 'w:-1', 'w:1.5', 'w:1e3', 'w: 1', 'w:1 ', 'W:1', 'w:1\n', 'w:１', `w:${'9'.repeat(16)}`]

describe('window ids', () => {
  it('00 name a window and its file by the sequence of its boundary, and read it back', () => {
    expect(windowIdOf(0)).toBe('w:0')
    expect(windowFileName(41)).toBe('w-41.jsonl')
    fc.assert(
      fc.property(fc.nat({ max: 1e15 - 1 }), (sequence) => {
        expect(sequenceOfWindowId(windowIdOf(sequence))).toBe(sequence)
        expect(sequenceOfWindowFile(windowFileName(sequence))).toBe(sequence)
      }),
      { seed: 3001 }
    )
  })

  it.each(HOSTILE)('refuse %j', (windowId) => expect(sequenceOfWindowId(windowId)).toBeNull())

  it.each(['w-1.json', 'w-.jsonl', 'w-1.jsonl.tmp', '.w-1.jsonl', 'w-1.jsonl\n', 'x/w-1.jsonl', 'w-../1.jsonl'])(
    'take no file named %j for a window',
    (name) => expect(sequenceOfWindowFile(name)).toBeNull()
  )
})

describe('splitModelRef', () => {
  it.each([
    ['anthropic:sea-1', 'anthropic', 'sea-1'],
    ['ollama:qwen3:8b', 'ollama', 'qwen3:8b'],
    ['router:meta/llama:free', 'router', 'meta/llama:free'],
    ['a::b', 'a', ':b']
  ])('60 splits %s at its first colon, since a model id may hold colons', (ref, providerId, modelId) => {
    expect(splitModelRef(ref)).toEqual({ providerId, modelId })
  })

  it.each(['', ':', 'model', ':model', 'provider:'])('60 refuses %j', (ref) => expect(splitModelRef(ref)).toBeNull())
})
