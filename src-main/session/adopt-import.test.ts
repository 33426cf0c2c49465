// H-11: an imported conversation is named after the first thing that its person said to the agent.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importHistory } from '../history/import-history'
import { startTestApp } from '../testing/test-app'

async function titleAfter(messages: readonly string[]): Promise<string> {
  const app = await startTestApp()
  const file = path.join(app.home, 'session.jsonl')
  const lines = messages.map((content) => ({ type: 'message', message: { role: 'user', content } }))
  writeFileSync(file, [{ type: 'session', id: 's' }, ...lines].map((line) => JSON.stringify(line)).join('\n'))
  const { store, folder } = app.session
  const workspace = { store, workspaceDir: folder, newId: () => crypto.randomUUID() }
  expect(await importHistory({ ...workspace, format: 'pi', path: file })).toMatchObject({ ok: true })
  await app.session.adoptImport()
  const { title } = app.session.view
  await app.close()
  return title
}

test('H-11 a command is no title, a path is one, and a conversation of commands alone has its first', async () => {
  expect(await titleAfter(['/mode', '/model sonnet', 'read theme.md in full\nthen theme.ts'])).toBe(
    'read theme.md in full'
  )
  expect(await titleAfter(['/etc/hosts is empty', 'Why?'])).toBe('/etc/hosts is empty')
  expect(await titleAfter(['/mode', '/compact'])).toBe('/mode')
  expect(await titleAfter([])).toBe('New conversation')
})
