// Every request of the contract takes what the window sends and refuses what it must not.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_ATTACHMENT_BYTES, MAX_MEMORY_FILE_BYTES, MAX_PASTED_TEXT_BYTES } from '../constants'
import { sensibleInputs } from '../testing/sensible-inputs'
import { isRequestName, REQUESTS } from './requests'
import type { RequestName } from './requests'

const SENSIBLE = sensibleInputs('2026-07-01-0123456789')
const { workspaceId } = SENSIBLE['workspace.open']
const NAMES = Object.keys(SENSIBLE) as RequestName[]

function accepts(name: RequestName, input: unknown): boolean {
  return REQUESTS[name].input.safeParse(input).success
}

describe('the table of requests', () => {
  it.each(NAMES)('takes a sensible input for %s', (name) => {
    expect(REQUESTS[name].input.safeParse(SENSIBLE[name]).error).toBeUndefined()
  })

  it.each(NAMES)('refuses what is no object for %s', (name) => {
    for (const input of [null, undefined, 0, '', 'x', true, [], [SENSIBLE[name]], () => SENSIBLE[name], Symbol('x')]) {
      expect(accepts(name, input)).toBe(false)
    }
  })

  it.each(NAMES)('refuses a wrong type in any field of %s', (name) => {
    for (const field of Object.keys(SENSIBLE[name])) {
      if (name === 'settings.set' && field === 'value') continue
      for (const wrong of [Symbol('x'), Number.NaN, { toString: () => 'x' }, [[]]]) {
        expect(accepts(name, { ...SENSIBLE[name], [field]: wrong }), field).toBe(false)
      }
    }
  })

  it('answers any input with a value, and lets nothing through that was not asked for', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.anything(), (name, junk) => {
        accepts(name, junk)
        const parsed = REQUESTS[name].input.parse({ ...SENSIBLE[name], surplus: junk })
        expect(Object.keys(parsed)).toEqual(Object.keys(SENSIBLE[name]))
      }),
      { seed: 3101, numRuns: 500 }
    )
  })

  it('gives no object of another prototype for hostile JSON', () => {
    const hostile: unknown = JSON.parse('{"workspaceId":"w","__proto__":{"admin":true},"constructor":{"prototype":{}}}')
    const parsed = REQUESTS['workspace.open'].input.parse(hostile)
    expect(parsed).toEqual({ workspaceId: 'w' })
    expect('admin' in parsed).toBe(false)
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it.each<[RequestName, string, unknown]>([
    ['workspace.open', 'an empty id', { workspaceId: '' }],
    ['workspace.open', 'an id of a kilobyte', { workspaceId: 'w'.repeat(1_024) }],
    ['turn.send', 'a text over the cap', { ...SENSIBLE['turn.send'], text: 'x'.repeat(MAX_PASTED_TEXT_BYTES + 1) }],
    ['turn.send', 'an unknown mode', { ...SENSIBLE['turn.send'], mode: 'now' }],
    [
      'turn.send',
      'an attachment that is a path',
      {
        ...SENSIBLE['turn.send'],
        attachments: [{ sha256: '../../etc/passwd', mediaType: 'a', filename: 'b', bytes: 1 }]
      }
    ],
    ['attachment.read', 'a path for a hash', { workspaceId, sha256: '../providers.json' }],
    [
      'attachment.add',
      'bytes over the cap',
      { ...SENSIBLE['attachment.add'], bytes: new Uint8Array(MAX_ATTACHMENT_BYTES + 1) }
    ],
    ['attachment.add', 'bytes that are a list', { ...SENSIBLE['attachment.add'], bytes: [1, 2] }],
    ['spill.read', 'a negative offset', { workspaceId, spillId: 's', offset: -1 }],
    ['spill.read', 'an offset between bytes', { workspaceId, spillId: 's', offset: 0.5 }],
    ['memory.read', 'a path of a megabyte', { workspaceId, path: '/'.repeat(1_048_576) }],
    [
      'memory.write',
      'a text over the cap',
      { ...SENSIBLE['memory.write'], text: 'x'.repeat(MAX_MEMORY_FILE_BYTES + 1) }
    ],
    ['queue.move', 'a negative place', { workspaceId, entryId: 'e', toIndex: -1 }],
    ['workspace.update', 'a blank title', { workspaceId, title: '   ' }],
    ['workspace.update', 'an unknown approval mode', { workspaceId, approvalMode: 'yolo' }],
    ['approval.answer', 'an unknown decision', { workspaceId, approvalId: 'a', answer: { decision: 'always' } }],
    ['approval.answer', 'a denial without its message', { workspaceId, approvalId: 'a', answer: { decision: 'deny' } }],
    ['workspace.export', 'an unknown format', { workspaceId, format: 'exe' }]
  ])('refuses for %s %s', (name, _what, input) => expect(accepts(name, input)).toBe(false))
})

describe('isRequestName', () => {
  it('knows every name of the table', () => {
    expect(NAMES.filter(isRequestName)).toEqual(NAMES)
    expect(NAMES.toSorted()).toEqual(Object.keys(REQUESTS).toSorted())
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '', 'app', 'app.start ', 'APP.START'])(
    'refuses %j, which is no name of the table',
    (name) => expect(isRequestName(name)).toBe(false)
  )
})
