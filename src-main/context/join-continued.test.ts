import { expect, it } from 'vitest'
import type { Row, RowMetadata, RowPart } from '@common/rows/row-schema'
import { joinContinued } from './join-continued'

const text = (said: string): RowPart => ({ type: 'text', text: said })
const row = (id: string, parts: RowPart[], metadata: RowMetadata = {}): Row => ({
  id,
  role: 'assistant',
  parts,
  metadata
})

it('L-4 H-13 a text goes on where its row says so, and two texts of an answer stay two', () => {
  const rows = [
    row('a', [text('one'), text('two, be')]),
    row('b', [text('gun and '), text('three')], { continues: 'a', startsPart: false }),
    row('c', [text('four')], { continues: 'b', startsPart: true })
  ]
  expect(joinContinued(rows)[0]?.parts).toEqual(['one', 'two, begun and ', 'three', 'four'].map(text))
})

it('L-4 H-13 rows of an earlier version, which do not say it, join all pieces as they did', () => {
  const signed: RowPart = { type: 'reasoning', text: 'ing', providerMetadata: { anthropic: { signature: 's' } } }
  const rows = [
    row('a', [{ type: 'reasoning', text: 'th' }]),
    row('b', [{ type: 'reasoning', text: 'ink' }, signed], { continues: 'a' })
  ]
  expect(joinContinued(rows)[0]?.parts).toEqual([{ ...signed, text: 'thinking' }])
})
