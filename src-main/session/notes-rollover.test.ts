// Proves the agent's notes on their way through a rollover, and what an agent is told of them, through the whole app.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOTES_PATH } from '@common/memory/notes-path'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type Row, toolPartsOf } from '@common/rows/row-schema'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedToolCall, ScriptedTurn, SeenRequest } from '../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

/** Rolls over at 15 000 tokens and warns at 9 000, at the default threshold. */
const MODEL = { id: 'test-model', contextLimit: 20_000, maxOutputTokens: 2_000 }
const NOTES = { 'experiments.tokenBudget': true }

async function rig(
  turns: readonly ScriptedTurn[],
  settings: Readonly<Record<string, unknown>> = {}
): Promise<{ server: ScriptedServer; test: TestApp }> {
  const script = [...turns]
  const server = await startScriptedServer({
    turns: () => script.shift() ?? { text: 'Fine.', usage: { inputTokens: 3_000 } }
  })
  toClose.push(server)
  const providers = [scriptedEntry('anthropic', server.baseUrl, MODEL)]
  const test = await startTestApp({ providers, model: 'anthropic:test-model', personPresent: false })
  toClose.push(test)
  for (const [at, value] of Object.entries({ ...NOTES, ...settings }))
    await test.ask('settings.set', { path: at, value })
  return { server, test }
}

function calls(inputTokens: number, ...toolCalls: ScriptedToolCall[]): ScriptedTurn {
  return { toolCalls, usage: { inputTokens, outputTokens: 50 } }
}
const bash: ScriptedToolCall = { name: 'bash', input: { command: 'echo hello' } }
const writeNotes = (text: string): ScriptedToolCall => ({
  name: 'memory',
  input: { command: 'create', path: NOTES_PATH, file_text: text }
})

/** Sends and waits until nothing more follows by itself. */
async function work(test: TestApp, text: string): Promise<void> {
  const from = test.events.length
  await test.send(text)
  while (!test.events.slice(from).some((event) => event.type === 'turn-ended' && !event.continues)) await test.nextEnd()
}

function putNotes(test: TestApp, text: string): void {
  const folder = path.join(test.session.folder, 'memories')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'context-notes.md'), text)
}

/** The system text without cache marks. */
function systemOf(request: SeenRequest | undefined): string {
  const system = request?.body['system'] as readonly { text: string }[] | undefined
  return (system ?? []).map(({ text }) => text).join('\n')
}

async function rowsOfKind(test: TestApp, kind: string): Promise<Row[]> {
  const read = await test.session.store.rowsAfter(0)
  if (!read.ok) throw new Error(read.error.message)
  return read.value.filter((row) => rowKindOf(row) === kind)
}

const textOf = (row: Row | undefined): string =>
  (row?.parts ?? []).flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('')

describe('N-1 the notes through a rollover', () => {
  it('W-0 W-1 are written when warned, and given in the next window alone, which says so', async () => {
    const { server, test } = await rig([
      calls(9_500, bash),
      calls(10_500, writeNotes('Step one is done.\n')),
      calls(15_200, bash)
    ])
    await work(test, 'Do it in steps')
    const holdsNotes = server.requests.map((request) => systemOf(request).includes('Step one is done.'))
    expect(holdsNotes).toEqual([false, false, false, true])
    expect(new Set(server.requests.slice(0, 3).map(systemOf)).size).toBe(1)
    const [leadIn] = await rowsOfKind(test, 'context-window-lead-in')
    expect(textOf(leadIn)).toContain(`Your working notes (${NOTES_PATH}) are among the memories above`)
    const [boundary] = await rowsOfKind(test, 'context-window-rollover')
    expect(boundary?.metadata.machine).toMatchObject({ notesCarried: true })

    await test.turn('Go on')
    const again = await startTestApp({ again: test })
    toClose.push(again)
    await again.turn('After a restart')
    expect(new Set(server.requests.slice(3).map(systemOf)).size).toBe(1)
    expect(server.requests).toHaveLength(6)
    expect(server.problems).toEqual([])
  })

  it('are spoken of only where they are in the text: not without any, nor with hot memories off', async () => {
    const carried = async (
      settings: Readonly<Record<string, unknown>>,
      notes: string | null,
      uses = 0
    ): Promise<[unknown, boolean]> => {
      const { server, test } = await rig([calls(15_200, bash)], settings)
      if (notes !== null) putNotes(test, notes)
      if (uses > 0) {
        const memories = { 'context-notes.md': { pinned: false, accessCount: uses } }
        writeFileSync(path.join(test.session.folder, 'memories/.memory-index.json'), JSON.stringify({ memories }))
      }
      await work(test, 'Begin')
      const [leadIn] = await rowsOfKind(test, 'context-window-lead-in')
      const [boundary] = await rowsOfKind(test, 'context-window-rollover')
      expect(textOf(leadIn).includes('working notes')).toBe(boundary?.metadata.machine?.['notesCarried'])
      return [boundary?.metadata.machine?.['notesCarried'], systemOf(server.requests[1]).includes('<memory ')]
    }
    expect(await carried({}, null)).toEqual([false, false])
    expect(await carried({}, 'Mine\n')).toEqual([true, true])
    // Chosen like any other memory, because the agent used them.
    expect(await carried({}, 'Mine\n', 3)).toEqual([true, true])
    expect(await carried({ hotMemories: false }, 'Mine\n')).toEqual([false, false])
    expect(await carried({ memory: 'off' }, 'Mine\n')).toEqual([false, false])
  })

  it('are given under read-only memory, which lets nothing be written', async () => {
    const { server, test } = await rig([calls(3_000, writeNotes('Overwritten\n'))], { memory: 'read-only' })
    putNotes(test, 'Kept as they are\n')
    await test.turn('Write your notes')
    expect(systemOf(server.requests[0])).toContain('Kept as they are')
    expect((await test.rows()).flatMap(toolPartsOf)).toMatchObject([{ state: 'output-denied' }])
    expect(readFileSync(path.join(test.session.folder, 'memories/context-notes.md'), 'utf8')).toBe('Kept as they are\n')
  })

  it('are not for an agent whose policy denies the memory tool', async () => {
    const { server, test } = await rig([])
    putNotes(test, 'Mine\n')
    mkdirSync(path.join(test.home, 'agents'), { recursive: true })
    const front = '---\ntools:\n  - match: glob\n    action: allow\n---\n'
    writeFileSync(path.join(test.home, 'agents/narrow.md'), `${front}You look for files.\n`)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, agentId: 'narrow' })
    await test.turn('Begin')
    expect(systemOf(server.requests[0])).not.toMatch(/memor|notes/i)
  })
})

describe('N-2 what the agent is told of its notes', () => {
  it('is one sentence, under a token budget with writable memory alone', async () => {
    const { server, test } = await rig([])
    const told = async (settings: Readonly<Record<string, unknown>>): Promise<number> => {
      for (const [at, value] of Object.entries(settings)) await test.ask('settings.set', { path: at, value })
      await test.turn('Begin')
      return systemOf(server.requests.at(-1)).split(NOTES_PATH).length - 1
    }
    expect(await told({})).toBe(1)
    expect(await told({ hotMemories: false })).toBe(1)
    expect(await told({ memory: 'read-only' })).toBe(0)
    expect(await told({ memory: 'off' })).toBe(0)
    expect(await told({ memory: 'on', hotMemories: true })).toBe(1)
    expect(await told({ 'experiments.tokenBudget': false })).toBe(0)
  })
})

describe('N-1 workspace.json of another version', () => {
  const fileOf = (test: TestApp): string => path.join(test.session.folder, 'workspace.json')

  it.each([
    ['says nothing of notes', undefined],
    ['says it in another form', 7]
  ])('one that %s keeps its memories, and is given the notes when it asks for them', async (_what, notes) => {
    const { server, test } = await rig([], { 'experiments.tokenBudget': false })
    const style = path.join(test.home, 'memories/global')
    mkdirSync(style, { recursive: true })
    writeFileSync(path.join(style, 'style.md'), 'Be brief.\n')
    writeFileSync(path.join(style, '.memory-index.json'), '{"memories":{"style.md":{"pinned":true}}}')
    await test.turn('Off')
    const file = JSON.parse(readFileSync(fileOf(test), 'utf8')) as { frozenSystem: { memories: object } }
    expect(file.frozenSystem.memories).not.toHaveProperty('notes')
    const memories = { ...file.frozenSystem.memories, ...(notes === undefined ? {} : { notes }) }
    await test.app.close()
    writeFileSync(fileOf(test), JSON.stringify({ ...file, frozenSystem: { ...file.frozenSystem, memories } }))
    writeFileSync(path.join(style, 'style.md'), 'Be long.\n')
    putNotes(test, 'Mine\n')
    const again = await startTestApp({ again: test })
    toClose.push(again)
    await again.ask('settings.set', { path: 'experiments.tokenBudget', value: true })
    await again.turn('On')
    expect(systemOf(server.requests[1])).toContain('Be brief.')
    expect(systemOf(server.requests[1])).toContain('Mine')
    // It reads as whole: nothing of it was set aside as damaged.
    expect(readdirSync(test.session.folder).filter((name) => name.includes('damaged'))).toEqual([])
  })
})
