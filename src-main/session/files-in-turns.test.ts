// O-4, P-6 in the whole app: what the model saw of files is on disk with its rows, what changed and what a message
// mentions goes before it, also after a restart, and no provider gets more than the words.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { baselinesOf } from '@common/rows/file-baselines'
import { rowKindOf } from '@common/rows/row-kinds'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { contentOf } from '../tools/file-content'
import { textOf } from './testing/file-talk'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

async function rig(turns: readonly TurnSource[], model = {}): Promise<{ server: ScriptedServer; first: TestApp }> {
  const server = await startScriptedServer({ turns })
  toClose.push(server)
  const providers = [scriptedEntry('anthropic', server.baseUrl, { id: 'test-model', ...model })]
  const first = await startTestApp({ providers, model: 'anthropic:test-model' })
  toClose.push(first)
  return { server, first }
}

/** The texts of the last message of a request, in order. */
function lastTexts(server: ScriptedServer): string[] {
  const body = server.requests.at(-1)?.body as
    | { messages: { content: { type: string; text?: string }[] }[] }
    | undefined
  return (body?.messages.at(-1)?.content ?? []).map(({ type, text }) => text ?? type)
}

test('O-4 a result is stored with what the model saw, a failed call with nothing, and it is never sent', async () => {
  const calls = [
    { name: 'file_read', input: { path: 'a.txt' } },
    { name: 'file_write', input: { path: 'new/b.txt', content: 'two\n' } },
    { name: 'file_read', input: { path: 'gone.txt' } }
  ]
  const edit = [{ name: 'file_edit', input: { path: 'new/b.txt', old_string: 'two', new_string: 'three' } }]
  const { server, first } = await rig([{ toolCalls: calls }, { toolCalls: edit }, { text: 'done' }])
  first.writeProject('a.txt', 'one\n')
  expect(await first.turn('Go.')).toMatchObject({ outcome: 'completed' })
  const seen = [...baselinesOf(await first.rows())].map(([name, { content }]) => [name, content])
  expect(seen).toEqual([
    ['a.txt', contentOf(Buffer.from('one\n'))],
    ['new/b.txt', contentOf(Buffer.from('three\n'))]
  ])
  expect(server.requests).toHaveLength(3)
  for (const { rawBody } of server.requests) expect(rawBody).not.toMatch(/sha256|mtimeMs|seenAtMs/)
  expect(server.problems).toEqual([])
})

test('P-6 O-4 U-8 a mentioned file and what changed go before the message, also after a restart', async () => {
  const { server, first } = await rig([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  first.writeProject('a.txt', 'one\n')
  first.writeProject('shot.gif', 'GIF89a.')
  await first.turn('See @a.txt and @shot.gif.')
  expect((await first.rows()).map(rowKindOf)).toEqual(['prelude', 'prelude', 'person', 'assistant'])
  expect(lastTexts(server)).toEqual([
    'a.txt, mentioned in the next message, as it is now (1 lines, 4 bytes):\n\none\n',
    'shot.gif, mentioned in the next message, is attached (image/gif, 7 bytes).',
    'image',
    'See @a.txt and @shot.gif.'
  ])
  first.writeProject('a.txt', 'two\n')
  await first.turn('And now?')
  expect(lastTexts(server)).toEqual([expect.stringContaining('-one\n+two'), 'And now?'])
  await first.app.close()
  rmSync(path.join(first.project, 'shot.gif'))
  const again = await startTestApp({ again: first })
  toClose.push(again)
  await again.turn('And then?')
  expect(lastTexts(server)).toEqual([expect.stringContaining('shot.gif: deleted, or moved elsewhere'), 'And then?'])
  expect((await again.rows()).filter((row) => rowKindOf(row) === 'file-change-notice')).toHaveLength(2)
  expect((await again.ask('workspace.open', { workspaceId: again.workspaceId })).workspace.title).toBe(
    'See @a.txt and @shot.gif.'
  )
  expect(server.problems).toEqual([])
})

test('P-6 P-8 H-12 a message that does not fit with what it mentions leaves its capsule alone, and no baseline', async () => {
  const { server, first } = await rig([{ text: 'fits' }], { contextLimit: 16_000, maxOutputTokens: 1_000 })
  const files = Array.from({ length: 6 }, (_, index) => `long-${index}.txt`)
  for (const file of files) first.writeProject(file, 'many words of no meaning, said again\n'.repeat(900))
  expect(await first.turn(files.map((file) => `@${file}`).join(' '))).toMatchObject({
    outcome: 'context_budget_blocked'
  })
  expect(server.requests).toHaveLength(0)
  const rows = await first.rows()
  expect(rows.map(rowKindOf)).toEqual(['rejected-input'])
  expect(baselinesOf(rows).size).toBe(0)
  first.writeProject('long-1.txt', 'short\n')
  expect(await first.turn('Never mind.')).toMatchObject({ outcome: 'completed' })
  expect(lastTexts(server)).toEqual(['Never mind.'])
})

test('H-10 P-6 an edited message is sent with what it mentions then', async () => {
  const { server, first } = await rig([{ text: 'one' }, { text: 'two' }])
  first.writeProject('a.txt', 'a\n')
  first.writeProject('b.txt', 'b\n')
  await first.turn('See @a.txt')
  const sent = (await first.rows()).find((row) => rowKindOf(row) === 'person')
  const ended = first.nextEnd()
  await first.ask('row.edit', { workspaceId: first.workspaceId, rowId: sent?.id ?? '', text: 'See @b.txt' })
  await ended
  expect(lastTexts(server)).toEqual([expect.stringContaining('b.txt, mentioned'), 'See @b.txt'])
  expect((await first.rows()).map(textOf)).not.toContainEqual(expect.stringContaining('a.txt'))
})
