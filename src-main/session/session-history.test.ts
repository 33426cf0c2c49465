// Proves session_history through the whole app: always offered, never asked about, its results never told again.
import { expect, it } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import type { NewRow, ToolPart } from '@common/rows/row-schema'
import type { SessionHistoryOutput } from '@common/tools/session-history-contract'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedServer } from '../provider/testing/scripted-server'
import type { SeenRequest, TurnSource } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

async function rig(
  turns: readonly TurnSource[],
  approvalMode: 'ask' | 'auto' = 'ask'
): Promise<{ server: ScriptedServer; test: TestApp }> {
  const server = await startScriptedServer({ turns })
  toClose.push(server)
  const providers = [scriptedEntry('anthropic', server.baseUrl, { id: 'test-model' })]
  const test = await startTestApp({ providers, model: 'anthropic:test-model', approvalMode, personPresent: false })
  toClose.push(test)
  return { server, test }
}

const asks = (input: object): TurnSource => ({ toolCalls: [{ name: 'session_history', input }] })

async function lastCall(test: TestApp): Promise<ToolPart> {
  const calls = (await test.rows()).flatMap((row) => toolPartsOf(row))
  const last = calls.at(-1)
  if (last === undefined) throw new Error('no tool was called')
  return last
}

const reset: NewRow = { id: 'reset', role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset' } }
const rollover: NewRow = {
  id: 'rollover',
  role: 'assistant',
  parts: [],
  metadata: {
    synthetic: true,
    machine: {
      type: 'context-window-rollover',
      rolloverId: 'r',
      reason: 'on-send',
      previousWindowId: 'w:0',
      flushOpportunity: true,
      contextTokens: 1,
      maxTokens: 2
    },
    contextBoundaryKind: 'reset'
  }
}

it.each(['exec', 'plan', 'explore'])(
  'S-1 G-3 %s is offered the tool and calls it; nobody is asked, nothing is denied',
  async (agentId) => {
    const { server, test } = await rig([
      { text: 'Noted.' },
      asks({ action: 'search', query: 'TIDE-4711' }),
      asks({ action: 'read_item', item_id: 'i:1' }),
      { text: 'It was TIDE-4711.' }
    ])
    await test.ask('workspace.update', { workspaceId: test.workspaceId, agentId })
    await test.turn('Remember the ticket tide-4711.')
    await test.session.store.appendMany([rollover])
    await test.turn('Which ticket was it?')
    const offered = (server.requests[0]?.body['tools'] ?? []) as readonly { name: string }[]
    expect(offered.at(-1)?.name).toBe('session_history')
    const call = await lastCall(test)
    expect(call).toMatchObject({ toolName: 'session_history', state: 'output-available' })
    expect(call.output).toMatchObject({ item: { text: 'Remember the ticket tide-4711.', window_id: 'w:0' } })
    expect(server.problems).toEqual([])
  }
)

it('S-4 a result of the tool is not told again by the tool', async () => {
  const { test } = await rig([
    { text: 'The word is lighthouse.' },
    asks({ action: 'search', query: 'lighthouse' }),
    { text: 'Found.' },
    asks({ action: 'search', query: 'lighthouse' }),
    { text: 'Found again.' }
  ])
  await test.turn('Say a word.')
  await test.turn('Which word?')
  await test.turn('Once more?')
  const found = (await lastCall(test)).output as Extract<SessionHistoryOutput, { items: unknown }>
  // The word itself, and the earlier call that asked for it; never what that call found.
  expect(found.items.map(({ tool_name, snippet }) => [tool_name, snippet])).toEqual([
    ['session_history', 'session_history {"action":"search","query":"lighthouse"}'],
    [null, 'The word is lighthouse.']
  ])
})

it('S-3 S-5 a failure reaches the agent in words, with what to do', async () => {
  const { server, test } = await rig([
    { text: 'A secret word.' },
    asks({ action: 'read_item', item_id: 'i:1' }),
    asks({ action: 'search' }),
    { text: 'Not there.' }
  ])
  await test.turn('Say a secret word.')
  await test.session.store.appendMany([reset])
  await test.turn('What did I ask first?')
  const calls = (await test.rows()).flatMap((row) => toolPartsOf(row))
  expect(calls.map(({ state }) => state)).toEqual(['output-error', 'output-error'])
  expect(JSON.parse(calls[0]?.errorText ?? '')).toMatchObject({ error: 'not_found' })
  expect(calls[1]?.errorText).toContain('query')
  expect(textOf(server.requests.at(-1))).not.toContain('secret word')
})

it('S-8 a search does not wait for ever behind appends, nor they behind it', async () => {
  const { test } = await rig([{ text: 'Done.' }, asks({ action: 'search', query: 'row' }), { text: 'Done.' }])
  const rows = Array.from({ length: 60 }, (_, at): NewRow => ({
    id: `row-${at}`,
    role: 'user',
    parts: [{ type: 'text', text: `row ${at}` }],
    metadata: {}
  }))
  await test.turn('Begin.')
  const [, ended] = await Promise.all([test.session.store.appendMany(rows), test.turn('Search.')])
  expect(ended.outcome).toBe('completed')
  expect((await lastCall(test)).state).toBe('output-available')
})

function textOf(request: SeenRequest | undefined): string {
  return request?.rawBody ?? ''
}
