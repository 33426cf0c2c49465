import { expect, it } from 'vitest'
import { rowsForProvider } from '@common/rows/boundaries'
import { rowKindOf, usesOf } from '@common/rows/row-kinds'
import { readRow } from '@common/rows/row-schema'
import { inputRowOf } from './input-row'
import { rejectedCapsule } from './rejected-capsule'

const input = inputRowOf(
  {
    id: 'e1',
    text: 'a very long message',
    attachments: [{ sha256: 'ab'.repeat(32), mediaType: 'image/png', filename: 'a.png', bytes: 12 }],
    mode: 'turn-end',
    source: 'person',
    held: false,
    queuedAtMs: 1
  },
  1_790_000_000_000
)
const capsule = rejectedCapsule(input, { reason: 'fresh_request_too_large', message: 'Shorten it.' })

it('H-12 a capsule keeps the whole input, its id and time, and why it was not sent', () => {
  expect(capsule).toEqual({
    id: 'e1',
    role: 'assistant',
    parts: [],
    metadata: {
      timestamp: 1_790_000_000_000,
      machine: {
        type: 'rejected-input',
        reason: 'fresh_request_too_large',
        message: 'Shorten it.',
        parts: input.parts
      }
    }
  })
})

it('H-12 a capsule is never sent, starts no turn, and can be edited, also after it was read again', () => {
  const read = readRow(JSON.parse(JSON.stringify(capsule))) ?? capsule
  expect(rowKindOf(read)).toBe('rejected-input')
  expect(rowsForProvider([read])).toEqual([])
  expect(usesOf(read)).toMatchObject({ startsTurn: false, editAnchor: true, windowEligible: false })
})
