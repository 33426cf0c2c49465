// O-4 in the whole app: what the model saw of files is on disk with the results of its tools, and no provider gets it.
import { afterEach, expect, test } from 'vitest'
import { baselinesOf } from '@common/rows/file-baselines'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import { startTestApp } from '../testing/test-app'
import { contentOf } from '../tools/file-content'

const toClose: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const closable of toClose.splice(0).toReversed()) await closable.close()
})

test('O-4 a result is stored with what the model saw, a failed call with nothing, and it is never sent', async () => {
  const calls = [
    { name: 'file_read', input: { path: 'a.txt' } },
    { name: 'file_write', input: { path: 'new/b.txt', content: 'two\n' } },
    { name: 'file_read', input: { path: 'gone.txt' } }
  ]
  const edit = [{ name: 'file_edit', input: { path: 'new/b.txt', old_string: 'two', new_string: 'three' } }]
  const server = await startScriptedServer({ turns: [{ toolCalls: calls }, { toolCalls: edit }, { text: 'done' }] })
  toClose.push(server)
  const providers = [scriptedEntry('anthropic', server.baseUrl, { id: 'test-model' })]
  const first = await startTestApp({ providers, model: 'anthropic:test-model' })
  toClose.push(first)
  first.writeProject('a.txt', 'one\n')
  expect(await first.turn('Go.')).toMatchObject({ outcome: 'completed' })
  const seen = [...baselinesOf(await first.rows())].map(([path, { content }]) => [path, content])
  expect(seen).toEqual([
    ['a.txt', contentOf(Buffer.from('one\n'))],
    ['new/b.txt', contentOf(Buffer.from('three\n'))]
  ])
  expect(server.requests).toHaveLength(3)
  for (const { rawBody } of server.requests) expect(rawBody).not.toMatch(/sha256|mtimeMs|seenAtMs/)
  expect(server.problems).toEqual([])
})
