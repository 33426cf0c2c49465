// Proves what the meter's popover is answered (U-6): the request that the rows would give now, counted by section.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { ContextSections } from '@common/contract/context-views'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

async function rig(turns: readonly TurnSource[]): Promise<{ test: TestApp; held: () => Promise<ContextSections> }> {
  const server = await startScriptedServer({ turns })
  toClose.push(server)
  const model = { id: 'test-model', contextLimit: 100_000, maxOutputTokens: 4_000 }
  const providers = [scriptedEntry('anthropic', server.baseUrl, model)]
  const test = await startTestApp({
    providers,
    model: 'anthropic:test-model',
    approvalMode: 'ask',
    personPresent: true
  })
  toClose.push(test)
  return { test, held: () => test.ask('context.sections', { workspaceId: test.workspaceId }) }
}

it('U-6 counts system and tools of a window in which nothing was said, and freezes nothing for it', async () => {
  const { test, held } = await rig([])
  const { sections, tokens, model, windowId, outputReserve } = await held()
  expect({ model, windowId, outputReserve }).toEqual({
    model: 'anthropic:test-model',
    windowId: 'w:0',
    outputReserve: 4_000
  })
  expect(sections).toMatchObject({ memories: 0, notes: 0, messages: 0, toolResults: 0, files: 0 })
  expect(sections.system).toBeGreaterThan(100)
  expect(sections.tools).toBeGreaterThan(500)
  expect(tokens).toBe(sections.system + sections.tools)
  expect(test.session.file.frozenSystem ?? null).toBeNull()
  expect(readdirSync(path.join(test.home, 'workspaces', test.workspaceId))).not.toContain('request-parts')
})

it('U-6 tells messages, results and memories apart, and counts the answer that streams too', async () => {
  const { test, held } = await rig([
    { toolCalls: [{ name: 'file_read', input: { path: 'long.txt' } }] },
    { toolCalls: [{ name: 'bash', input: { command: 'wc long.txt' } }] }
  ])
  await test.ask('memory.write', {
    workspaceId: test.workspaceId,
    path: '/memories/global/style.md',
    text: 'Short sentences, plain words. '.repeat(20),
    version: null
  })
  await test.ask('memory.pin', { workspaceId: test.workspaceId, path: '/memories/global/style.md', pinned: true })
  test.writeProject('long.txt', 'tide and ebb\n'.repeat(1_000))
  const before = await held()
  expect(before.sections.memories).toBeGreaterThan(100)
  await test.send('Read long.txt.')
  // The result stands in the row that streams: the turn waits for the person.
  await test.event('approvals-changed', ({ approvals }) => approvals.length > 0)
  const after = await held()
  expect(after.sections.toolResults).toBeGreaterThan(1_500)
  expect(after.sections.messages).toBeGreaterThan(20)
  expect(after.sections.memories).toBe(before.sections.memories)
  expect(after.sections.tools).toBe(before.sections.tools)
  await test.session.interrupt()
})

it('U-6 counts a fresh window from nothing after a reset', async () => {
  const { test, held } = await rig([{ text: 'Hello.' }])
  await test.turn('Hello')
  await test.ask('history.clear', { workspaceId: test.workspaceId, soft: true })
  const { sections, windowId } = await held()
  expect(sections.messages).toBe(0)
  expect(windowId).not.toBe('w:0')
})

it('U-6 says why it cannot count', async () => {
  const { test } = await rig([])
  await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'nobody:knows' })
  const answer = await test.app.dispatch('context.sections', { workspaceId: test.workspaceId })
  expect(answer).toMatchObject({ ok: false, error: { kind: 'refused', message: expect.stringContaining('nobody') } })
})
