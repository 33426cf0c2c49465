import { writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { readTextSlice } from './read-text-slice'

/** Every slice of the file, from the first on. */
async function slicesOf(path: string, maxBytes: number) {
  const slices: Awaited<ReturnType<typeof readTextSlice>>[] = []
  for (let offset: number | null = 0; offset !== null; offset = slices.at(-1)?.nextOffset ?? null)
    slices.push(await readTextSlice(path, offset, maxBytes))
  return slices
}

describe('readTextSlice', () => {
  it('O-2 reads a text piece by piece, never cut inside of a character, and says where it ends', async () => {
    const path = tempWorkspace().path('spill')
    const character = fc.constantFrom('a', 'é', '日', '🌊', '\n')
    await fc.assert(
      fc.asyncProperty(
        fc.array(character, { maxLength: 60 }),
        fc.integer({ min: 4, max: 16 }),
        async (text, maxBytes) => {
          const whole = text.join('')
          writeFileSync(path, whole)
          const slices = await slicesOf(path, maxBytes)
          expect(slices.map((slice) => slice.text).join('')).toBe(whole)
          for (const slice of slices) {
            expect(slice.totalBytes).toBe(Buffer.byteLength(whole))
            expect(Buffer.byteLength(slice.text)).toBeLessThanOrEqual(maxBytes)
          }
        }
      ),
      { seed: 6101, numRuns: 200 }
    )
  })

  it('reads bytes that are no text to their end, and never for ever', async () => {
    const path = tempWorkspace().path('spill')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
        writeFileSync(path, bytes)
        const slices = await slicesOf(path, 5)
        expect(slices.length).toBeLessThanOrEqual(bytes.length + 1)
        expect(slices.at(-1)?.nextOffset).toBeNull()
      }),
      { seed: 6102, numRuns: 200 }
    )
  })

  it('answers nothing past the end, and rejects where there is no file', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('spill')
    writeFileSync(path, 'abc')
    expect(await readTextSlice(path, 3, 10)).toEqual({ text: '', nextOffset: null, totalBytes: 3 })
    expect(await readTextSlice(path, 9_000, 10)).toEqual({ text: '', nextOffset: null, totalBytes: 3 })
    await expect(readTextSlice(workspace.path('gone'), 0, 10)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
