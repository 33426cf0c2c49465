// S-9: a jump goes to the piece of a long row that holds the words, and opens what hides them.
import { expect, it } from 'vitest'
import { buildDisplayRows } from '@common/rows/display-rows'
import { rowSource, text, toolDone } from '../testing/row-builders'
import { disclosuresOf, indexOfWords } from './found-row'

const source = rowSource()
const paragraphs = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}: ${'many words of an answer '.repeat(8)}`)
const answer = source.assistant([
  text(paragraphs.join('\n\n')),
  toolDone('bash', { command: 'ls' }, { exit_code: 0, output: 'first\nthe "needle"\n' })
])
const rows = [source.person('Question'), answer, source.assistant([text('Paragraph 41 again')])]
const { items } = buildDisplayRows({ rows, busy: false, hasOlder: false, skippedLines: 0, debug: false })

it('S-9 the piece of a long row that holds the words is found, and its beginning where none does', () => {
  const at = indexOfWords(items, answer.id, 'Paragraph 41:')
  expect(at).toBeGreaterThan(2)
  expect(JSON.stringify(items[at])).toContain('Paragraph 41:')
  expect(indexOfWords(items, answer.id, 'again')).toBe(1)
  expect(indexOfWords(items, answer.id, '')).toBe(1)
  expect(indexOfWords(items, 'nobody', 'Paragraph 41:')).toBe(-1)
})

it('S-9 what hides the words is opened: the card of the tool that said them, a long message', () => {
  const at = indexOfWords(items, answer.id, 'the "needle"')
  const part = answer.parts[1]
  const card = `tool:${part !== undefined && 'toolCallId' in part ? String(part.toolCallId) : ''}`
  expect(disclosuresOf(items[at], 'the "needle"')).toEqual([card])
  expect(disclosuresOf(items[at], 'elsewhere')).toEqual([])
  expect(disclosuresOf(items[0], 'Question')).toEqual([`text:${rows[0]?.id ?? ''}`])
})
