// H-6: dividers ask about their windows one at a time, and no longer once they have left the view.
import { expect, it } from 'vitest'
import type { WindowCheck } from './window-check-texts'
import { windowChecker } from './window-checker'

const GOOD: WindowCheck = { kind: 'verified', rows: 3 }

it('H-6 asks one question at a time, drops those taken back, and remembers what was found', async () => {
  const asked: string[] = []
  const answers: ((check: WindowCheck) => void)[] = []
  const checker = windowChecker((windowId, again) => {
    asked.push(`${windowId} ${again}`)
    return new Promise((resolve) => answers.push(resolve))
  })
  const found: string[] = []
  const stops = ['w:0', 'w:4', 'w:9'].map((id) => checker.look(id, ({ kind }) => found.push(`${id} ${kind}`)))
  expect(asked).toEqual(['w:0 false'])
  stops[1]?.()
  stops[0]?.()
  answers[0]?.(GOOD)
  await expect.poll(() => asked).toEqual(['w:0 false', 'w:9 false'])
  answers[1]?.({ kind: 'failed', message: 'No.' })
  await expect.poll(() => found).toEqual(['w:9 failed'])
  expect([checker.known('w:0'), checker.known('w:4')]).toEqual([GOOD, null])
  const verified = checker.verify('w:9')
  answers[2]?.(GOOD)
  expect(await verified).toEqual(GOOD)
  expect(asked.at(-1)).toBe('w:9 true')
  expect(checker.known('w:9')).toEqual(GOOD)
  checker.look('w:4', ({ kind }) => found.push(`w:4 ${kind}`))
  await expect.poll(() => asked.at(-1)).toBe('w:4 false')
})
