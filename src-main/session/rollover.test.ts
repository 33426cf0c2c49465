// Proves rollovers through the whole app: real files, a loopback provider, and not one request for a summary.
import { describe, expect, it } from 'vitest'
import { rowKindOf } from '@common/rows/row-kinds'
import { type Row, toolPartsOf } from '@common/rows/row-schema'
import type { TurnSource } from '../provider/testing/scripted-turn'
import { bash, budgetRig, calls, kindsOf, says, storedRows, textOf, work } from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const NOTES = '/memories/workspace/context-notes.md'
const rig = (turns: readonly TurnSource[]) => budgetRig(toClose, turns)

describe('rollover', () => {
  it('M-4 W-1 M-3 R-1 R-2 warns, lets the notes be written, rolls over and recovers, and never asks for a summary', async () => {
    const { server, test } = await rig([
      calls(9_500, bash('echo the needle is 4711')),
      calls(10_500, {
        name: 'memory',
        input: { command: 'create', path: NOTES, file_text: 'Done: looked at the needle.' }
      }),
      calls(15_200, bash('echo more')),
      calls(4_000, { name: 'session_history', input: { action: 'search', query: 'needle is' } }),
      says('It was 4711.')
    ])
    const end = await work(test, 'Find the needle, then say its number')
    expect(server.problems).toEqual([])
    expect(end).toMatchObject({ outcome: 'completed', reason: null })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual([
      'person',
      'assistant',
      'context-budget-warning',
      'continue',
      'assistant',
      'context-window-rollover',
      'context-window-lead-in',
      'continue',
      'assistant'
    ])
    const [, first, warning, carried, second, boundary, leadIn, again] = rows
    expect(first?.metadata.pausedFor).toBe('warning')
    expect(second?.metadata.pausedFor).toBe('rollover')
    expect(carried?.metadata.warningId).toBe(warning?.metadata.machine?.['warningId'])
    expect(textOf(warning)).toContain('of 15000 tokens')
    expect(textOf(warning)).toContain(NOTES)
    expect(boundary?.metadata.machine).toMatchObject({
      reason: 'mid-stream',
      previousWindowId: 'w:0',
      flushOpportunity: true,
      maxTokens: 20_000
    })
    expect(again?.metadata.rolloverId).toBe(boundary?.metadata.machine?.['rolloverId'])
    expect(textOf(leadIn)).toContain('Find the needle, then say its number')
    expect(textOf(leadIn)).toContain(`m:${rows[0]?.id}`)
    expect(textOf(leadIn)).toContain('window w:0')
    const fresh = server.requests[3]?.rawBody ?? ''
    expect(fresh).toContain('goes on now')
    // nothing before the boundary is sent.
    expect(fresh).not.toContain('echo the needle')
    const found = toolPartsOf(rows[8] as Row)[0]
    expect(JSON.stringify(found?.output)).toContain('4711')
    expect(test.events.filter(({ type }) => type === 'budget')).toMatchObject([
      { decision: 'warn' },
      { decision: 'rollover' }
    ])
    expect(server.requests).toHaveLength(5)
  })

  it('R-3 begins no window while an answer streams: in the middle of a turn it stops, and the next send rolls over', async () => {
    const { test } = await rig([calls(15_200, bash('echo a')), says('done')])
    await work(test, 'Go')
    const boundary = test.events.findIndex(
      (event) => event.type === 'row-appended' && rowKindOf(event.row) === 'context-window-rollover'
    )
    const before = test.events.slice(0, boundary)
    const phase = before.findLast((event) => event.type === 'status-changed')
    expect(phase).toMatchObject({ status: { phase: 'preparing' } })
    const begun = before.filter((event) => event.type === 'live-started').map(({ row }) => row.id)
    const stored = before.flatMap((event) => (event.type === 'row-appended' ? [event.row.id] : []))
    expect(begun).toHaveLength(1)
    expect(stored).toEqual(expect.arrayContaining(begun))
  })

  it('E-3 R-2 rolls over on send, with the message in the fresh window', async () => {
    const { server, test } = await rig([says('one', 14_900), says('two')])
    await work(test, 'First')
    await work(test, `Second ${'word '.repeat(400)}`)
    expect(server.problems).toEqual([])
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual([
      'person',
      'assistant',
      'context-window-rollover',
      'context-window-lead-in',
      'person',
      'assistant'
    ])
    expect(rows[2]?.metadata.machine).toMatchObject({ reason: 'on-send', flushOpportunity: true })
    expect(server.requests[1]?.rawBody).not.toContain('"First"')
  })

  it('P-7 answers a provider that finds it too long with one fresh window and a copy, once', async () => {
    const { server, test } = await rig([
      says('one'),
      { fault: { kind: 'context-exceeded' } },
      says('two'),
      says('three'),
      { fault: { kind: 'context-exceeded' } },
      { fault: { kind: 'context-exceeded' } }
    ])
    await work(test, 'First')
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    const rows = storedRows(test)
    expect(kindsOf(rows)).toEqual([
      'person',
      'assistant',
      'person',
      'context-window-rollover',
      'context-window-lead-in',
      'person',
      'assistant'
    ])
    expect(rows[5]?.metadata.copyOf).toBe(rows[2]?.id)
    expect(rows[3]?.metadata.machine).toMatchObject({ reason: 'context-exceeded', flushOpportunity: false })
    await work(test, 'Third')
    expect(await work(test, 'Fourth')).toMatchObject({ outcome: 'failed', reason: 'context_exceeded' })
    expect(kindsOf(storedRows(test)).filter((kind) => kind === 'context-window-rollover')).toHaveLength(2)
    expect(server.requests).toHaveLength(6)
  })

  it('G-1 G-2 neither warns nor rolls over where the experiment is off', async () => {
    const { test, server } = await rig([calls(15_500, bash('echo a')), says('done')])
    await test.ask('settings.set', { path: 'experiments.tokenBudget', value: false })
    await test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    await work(test, 'Go')
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant'])
    expect(server.requests).toHaveLength(2)
  })
})
