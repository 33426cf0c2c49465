import { expect, it } from 'vitest'
import { LEAD_IN_QUOTE_CHARS } from '../constants'
import { owningRequestOf, quoteOf } from './owning-request'
import type { Row } from './row-schema'

const person = (id: string, text: string, metadata: Row['metadata'] = {}): Row => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
  metadata
})
const leadIn = (request: unknown): Row =>
  person('l', 'Lead-in', { synthetic: true, machine: { type: 'context-window-lead-in', rolloverId: 'r', request } })
const goOn = person('c', 'Continue', { synthetic: true, machine: { type: 'continue' } })

it('R-1 is the newest message of the person, past all that the app wrote', () => {
  expect(owningRequestOf([person('a', 'first'), person('b', 'second'), goOn])).toEqual({
    messageId: 'b',
    quote: 'second',
    isCut: false
  })
})

it('R-1 is carried on by the lead-in over windows in which the person said nothing', () => {
  const request = { messageId: 'a', quote: 'first', isCut: false }
  expect(owningRequestOf([leadIn(request), goOn])).toEqual(request)
  expect(owningRequestOf([leadIn({ messageId: 7 }), goOn])).toBeNull()
  expect(owningRequestOf([])).toBeNull()
})

it('R-1 cuts a long one at a character and says so; a copy is known by its original', () => {
  const { quote, isCut, messageId } = quoteOf(person('copy', '🌊'.repeat(600), { copyOf: 'original' }))
  expect([[...quote].length, isCut, messageId]).toEqual([LEAD_IN_QUOTE_CHARS, true, 'original'])
  expect(quote.endsWith('🌊')).toBe(true)
})

it('R-1 names the files of a message without words', () => {
  const row: Row = {
    ...person('f', ' '),
    parts: [{ type: 'file', mediaType: 'image/png', url: 'attachment:1', filename: 'a.png' }]
  }
  expect(quoteOf(row).quote).toBe('[a.png]')
})
