// Proves the demo model through the whole app: a request that no window of it holds is done all the same, by its own
// notes and the history, over several rollovers, with nothing read twice.
import { afterEach, expect, it } from 'vitest'
import { NOTES_PATH } from '@common/memory/notes-path'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, toolPartsOf } from '@common/rows/row-schema'
import { startTestApp } from '../testing/test-app'

const toClose: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const closable of toClose.splice(0)) await closable.close()
})

it('L-2 W-1 R-1 N-1 the demo reads on over rollovers until every file was read once', async () => {
  const test = await startTestApp({ personPresent: false })
  toClose.push(test)
  const files = Array.from({ length: 12 }, (_, index) => `src/part-${index}.ts`)
  for (const file of files) {
    const lines = Array.from({ length: 150 }, (_, line) => `export const value_${line} = ${line * 17} // of ${file}`)
    test.writeProject(file, lines.join('\n'))
  }
  const from = test.events.length
  await test.send('Read every file in src')
  while (!test.events.slice(from).some((event) => event.type === 'turn-ended' && !event.continues)) await test.nextEnd()

  const read = await test.session.store.rowsAfter(0)
  if (!read.ok) throw new Error(read.error.message)
  const rows = read.value
  const kinds = rows.map(rowKindOf)
  const rollovers = kinds.filter((kind) => kind === 'context-window-rollover').length
  expect(rollovers).toBeGreaterThan(0)
  expect(kinds.filter((kind) => kind === 'person')).toHaveLength(1)
  const calls = rows.flatMap(toolPartsOf)
  const readPaths = calls.flatMap(({ toolName, input }) => (toolName === 'file_read' ? [JSON.stringify(input)] : []))
  expect(readPaths.toSorted()).toEqual(files.map((path) => JSON.stringify({ path })).toSorted())
  const notes = calls.filter(
    ({ toolName, input }) => toolName === 'memory' && JSON.stringify(input).includes(NOTES_PATH)
  )
  expect(notes.length).toBeGreaterThanOrEqual(rollovers)
  expect(notes.map(({ state }) => state)).toEqual(notes.map(() => 'output-available'))
  expect(calls.some(({ toolName }) => toolName === 'session_history')).toBe(true)
  const said = (rows.at(-1)?.parts ?? []).flatMap((part) =>
    isKnownPart(part) && part.type === 'text' ? [part.text] : []
  )
  expect(said.join('\n')).toMatch(/I had read before this window began \([1-9]\d* by my notes, \d+ by the history\)/)
})
