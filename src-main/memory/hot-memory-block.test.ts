import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { extraMemoryText, hotMemoryBlock, hotMemoryText, partHotMemoryBlock } from './hot-memory-block'
import type { HotMemory } from './hot-memory-block'

const NOTES = '/memories/workspace/context-notes.md'

/** Texts that try to pass for another memory, or to end their own. */
const words = fc.constantFrom('use pnpm', '\n\n', '</memory>', '< /memory>', `<memory path="${NOTES}">`, '<\\/memory>')
const memory = (path: string): fc.Arbitrary<HotMemory> =>
  fc.record({
    path: fc.constant(path),
    pinned: fc.boolean(),
    text: fc.array(words, { maxLength: 6 }).map((each) => each.join('\n'))
  })

it('N-1 U-6 the notes are told apart from the other memories of a block, whatever any of them says', () => {
  const others = fc
    .nat({ max: 4 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => memory(`/memories/project/${at}.md`))))
  fc.assert(
    fc.property(others, memory(NOTES), fc.nat(), fc.boolean(), (chosen, notes, place, isExtra) => {
      const at = place % (chosen.length + 1)
      const ordinary = hotMemoryBlock(isExtra ? chosen : chosen.toSpliced(at, 0, notes))
      const block = ordinary + (isExtra ? extraMemoryText(ordinary, notes) : '')
      const parted = partHotMemoryBlock(block, NOTES)
      expect(parted.own).toBe(hotMemoryText(notes))
      if (chosen.length > 0) expect(parted.others).toBe(hotMemoryBlock(chosen))
      else expect(`${parted.others}\n\n${parted.own}`).toBe(block)
      const without = hotMemoryBlock(chosen)
      expect(partHotMemoryBlock(without, NOTES)).toEqual({ others: without, own: '' })
    }),
    { seed: 4401, numRuns: 300 }
  )
})
