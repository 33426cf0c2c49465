import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltScript, buildChild } from '../history/testing/build-child'
import { listMemories } from './list-memories'
import { tempMemories } from './testing/temp-memories'

const TIMES = 15

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('./testing/write-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

function run(home: string, name: string): Promise<{ lines: string[]; complaints: string }> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, [child.file, home, name, String(TIMES)])
    let [said, complaints] = ['', '']
    started.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    started.once('close', () => resolve({ lines: said.trim().split('\n'), complaints }))
  })
}

test('Y-1 two processes write the same scope: no line, file, count or race is lost or won twice', async () => {
  const temp = tempMemories()
  temp.put('project', 'shared.md', '')
  const ended = await Promise.all(['one', 'two'].map((name) => run(temp.home, name)))
  expect(ended.map(({ complaints }) => complaints)).toEqual(['', ''])
  const lines = temp.textOf('project', 'shared.md').trim().split('\n')
  const wanted = ['one', 'two'].flatMap((name) => Array.from({ length: TIMES }, (_, index) => `${name}-${index}`))
  expect(lines.toSorted()).toEqual(wanted.toSorted())
  const { memories } = await listMemories(temp.store)
  expect(memories).toHaveLength(1 + 3 * TIMES)
  expect(memories.find(({ path }) => path.endsWith('shared.md'))?.accessCount).toBe(2 * TIMES)
  const won = ended.flatMap((process) => process.lines).filter((line) => line !== 'lost')
  expect(won).toHaveLength(TIMES)
  for (const line of won) {
    const [file = '', winner = ''] = line.split(' ')
    expect(temp.textOf('project', `${file}.md`)).toBe(winner)
  }
  expect(temp.namesIn('project').filter((name) => name.startsWith('.'))).toEqual(['.memory-index.json'])
})
