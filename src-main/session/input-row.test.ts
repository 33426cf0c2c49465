import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TITLE_CHARS } from '@common/constants'
import type { QueueEntry } from '@common/contract/views'
import { rowKindOf } from '@common/rows/row-kinds'
import { Row } from '@common/rows/row-schema'
import { inputRowOf, titleOf } from './input-row'

const picture = { sha256: 'ab'.repeat(32), mediaType: 'image/png', filename: 'a.png', bytes: 12 }

function entry(fields: Partial<QueueEntry>): QueueEntry {
  return {
    id: 'e1',
    text: 'Hello',
    attachments: [],
    mode: 'tool-end',
    source: 'person',
    held: false,
    queuedAtMs: 1,
    ...fields
  }
}

describe('inputRowOf', () => {
  it('T-2 makes a row of the person under the id of its entry, so that a restart knows it was delivered', () => {
    const row = inputRowOf(entry({ attachments: [picture] }), 1_790_000_000_000)
    expect(row).toEqual({
      id: 'e1',
      role: 'user',
      parts: [
        { type: 'text', text: 'Hello' },
        { type: 'file', mediaType: 'image/png', url: `attachment:${'ab'.repeat(32)}`, filename: 'a.png', bytes: 12 }
      ],
      metadata: { timestamp: 1_790_000_000_000 }
    })
    expect(rowKindOf(row)).toBe('person')
    expect(Row.safeParse(row).success).toBe(true)
  })

  it('holds no empty text where files were sent alone', () => {
    expect(inputRowOf(entry({ text: '', attachments: [picture] }), 1).parts).toMatchObject([{ type: 'file' }])
  })
})

describe('titleOf', () => {
  it.each([
    ['Fix the parser\nplease', 'Fix the parser'],
    ['\n \n  Fix it  \r\nnow', 'Fix it'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    ['🌊'.repeat(81), `${'🌊'.repeat(79)}…`]
  ])('T-4 takes the first line that says something: %j', (text, title) => {
    expect(titleOf({ text, attachments: [] })).toBe(title)
  })

  it('takes the name of the first file where there is no text, and plain words where there is neither', () => {
    expect(titleOf({ text: ' \n', attachments: [picture] })).toBe('a.png')
    expect(titleOf({ text: '', attachments: [] })).toBe('New conversation')
  })

  it('is one short line for any text, and never cut inside of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const title = titleOf({ text, attachments: [] })
        expect([...title].length).toBeLessThanOrEqual(MAX_TITLE_CHARS)
        expect(title).not.toContain('\n')
        expect(title.trim()).not.toBe('')
        expect(Buffer.from(title).toString()).toBe(title)
      }),
      { seed: 5301, numRuns: 300 }
    )
  })
})
