// Proves what a full window must never do to a message: drop it, send what was taken back, loop, or mislead.
import { describe, expect, it } from 'vitest'
import { bash, budgetRig, calls, countOf, kindsOf, lastEnd, says, storedRows, textOf, work } from './testing/budget-rig'
import { LONG, summarisingRig } from './testing/summarising-rig'
import type { TestApp, TurnEnded } from '../testing/test-app'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

const auth = { fault: { kind: 'auth' } } as const
const tooLong = { fault: { kind: 'context-exceeded' } } as const
const LARGE = { id: 'large', contextLimit: 100_000, maxOutputTokens: 2_000 }

async function retry(test: TestApp): Promise<TurnEnded> {
  const from = test.events.length
  await test.ask('turn.retry', { workspaceId: test.workspaceId })
  return lastEnd(test, from)
}
const notices = (test: TestApp): string[] =>
  test.events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []))

describe('a retry in a full window', () => {
  it('R-2 P-6 takes the unanswered message with its snapshots into the fresh window', async () => {
    const small = { id: 'small', contextLimit: 20_000, maxOutputTokens: 2_000 }
    const { test, server } = await budgetRig(toClose, [says('one', 30_000), auth, says('two')], {
      limits: LARGE,
      others: [small]
    })
    await work(test, `First ${'lorem ipsum '.repeat(6_000)}`)
    test.writeProject('a.txt', 'CONTENT-OF-A')
    await work(test, `Second, see @a.txt ${'x y '.repeat(300)} NEEDLE`)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:small' })
    expect(await retry(test)).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test)).slice(-5)).toEqual([
      'context-window-rollover',
      'context-window-lead-in',
      'prelude',
      'person',
      'assistant'
    ])
    expect(server.requests.at(-1)?.rawBody).toContain('NEEDLE')
    expect(server.requests.at(-1)?.rawBody).toContain('CONTENT-OF-A')
  })

  it('C-2 sends the unanswered message behind the summary', async () => {
    const turns = [says('one', 14_000), auth, says('Summary of it.', 15_500), says('two')]
    const { test, server } = await summarisingRig(toClose, turns)
    await work(test, LONG)
    await work(test, `Second NEEDLE ${'word '.repeat(100)}`)
    await test.ask('settings.set', { path: 'autoThreshold', value: 0.5 })
    expect(await retry(test)).toMatchObject({ outcome: 'completed' })
    expect(server.requests.at(-1)?.rawBody).toContain('NEEDLE')
    expect(countOf(storedRows(test), 'compaction-summary')).toBe(1)
  })

  it('P-7 copies the snapshots of the message too', async () => {
    const { test, server } = await budgetRig(toClose, [says('one'), auth, tooLong, says('two')])
    await work(test, 'First')
    test.writeProject('a.txt', 'CONTENT-OF-A')
    await work(test, 'Second, see @a.txt')
    await retry(test)
    expect(server.requests.at(-1)?.rawBody).toContain('CONTENT-OF-A')
  })

  it('P-1 seals no window for answers that said nothing', async () => {
    const { test } = await budgetRig(toClose, [says('one'), tooLong, tooLong, tooLong, tooLong])
    await work(test, 'First')
    await work(test, 'Second')
    expect(await retry(test)).toMatchObject({ outcome: 'failed', reason: 'context_exceeded' })
    await retry(test)
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
  })

  it('G-1 goes on with what the send said of experiments', async () => {
    const { test } = await budgetRig(toClose, [says('one', 14_900), auth, says('two')])
    await test.ask('settings.set', { path: 'experiments.tokenBudget', value: false })
    await work(test, 'First')
    const from = test.events.length
    const { workspaceId } = test
    const experiments = { tokenBudget: true }
    await test.ask('turn.send', { workspaceId, text: 'Second', attachments: [], mode: 'tool-end', experiments })
    await lastEnd(test, from)
    await test.ask('settings.set', { path: 'autoThreshold', value: 0.5 })
    await retry(test)
    const kinds = kindsOf(storedRows(test))
    expect(kinds).toContain('context-window-rollover')
    expect(kinds).not.toContain('compaction-summary')
  })
})

describe('the queue while a window is summarised', () => {
  async function whileSummarising(act: (test: TestApp, entryId: string) => Promise<unknown>) {
    let open: () => void = () => undefined
    const held = new Promise<void>((resolve) => (open = resolve))
    const summary = async () => {
      await held
      return says('Summary.', 15_500)
    }
    const { test, server } = await summarisingRig(toClose, [says('one', 15_500), summary, says('two')])
    await work(test, LONG)
    const from = test.events.length
    await test.send('Delete the OLD branch')
    await server.request(1)
    const [entry] = test.session.queue.entries
    await act(test, entry?.id ?? '')
    open()
    await lastEnd(test, from)
    return { test, server }
  }

  it('T-2 sends what the person made of the message meanwhile', async () => {
    const { test, server } = await whileSummarising((app, entryId) =>
      app.ask('queue.edit', { workspaceId: app.workspaceId, entryId, text: 'Delete nothing at all' })
    )
    expect(server.requests.at(-1)?.rawBody).toContain('Delete nothing at all')
    expect(server.requests.at(-1)?.rawBody).not.toContain('OLD branch')
    expect(test.session.queue.entries).toEqual([])
  })

  it('T-2 sends nothing that the person took back meanwhile', async () => {
    const { test, server } = await whileSummarising((app, entryId) =>
      app.ask('queue.remove', { workspaceId: app.workspaceId, entryId })
    )
    expect(server.requests).toHaveLength(2)
    expect(storedRows(test).map(textOf)).not.toContain('Delete the OLD branch')
  })
})

describe('budget figures', () => {
  const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }

  it('E-1 counts the window itself where the provider counts nothing, and warns and rolls over', async () => {
    const big = { toolCalls: [bash('head -c 18000 /dev/urandom | base64 -w0 | head -c 24000')], usage: none }
    const { test } = await budgetRig(toClose, [big, big, big, { text: 'Done.', usage: none }])
    expect(await work(test, 'Go')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBeGreaterThan(0)
  })

  it('R-7 stops rolling over where what is always sent fills each window', async () => {
    const turns = Array.from({ length: 6 }, () => calls(15_200, bash('echo a')))
    const { test } = await budgetRig(toClose, [...turns, says('done')])
    expect(await work(test, 'Go')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
  })

  it('P-2 tells once for a window why it stays, and lets go of it with another model', async () => {
    const turns = [says('one', 11_000), says('two', 12_000), says('three', 13_000), calls(60_000, bash('echo b'))]
    const { test } = await budgetRig(toClose, turns, { others: [LARGE] })
    // With these instructions a fresh window is at the rollover point before it holds anything else.
    test.writeProject('AGENTS.md', 'word '.repeat(6_500))
    await test.ask('settings.set', { path: 'autoThreshold', value: 0.45 })
    for (const text of ['First', `Second ${'word '.repeat(1_500)}`, `Third ${'word '.repeat(1_500)}`])
      await work(test, text)
    expect(notices(test).filter((message) => message.includes('goes on until it is full'))).toHaveLength(1)
    await test.ask('workspace.update', { workspaceId: test.workspaceId, model: 'anthropic:large' })
    await work(test, 'Fourth')
    expect(test.events.filter(({ type }) => type === 'budget')).toMatchObject([{ decision: 'rollover' }])
  })

  it('P-4 says what helps: with automatic off the next message does not go on in a fresh window', async () => {
    const { test } = await budgetRig(toClose, [calls(9_000, bash('head -c 24000 /dev/urandom | base64 -w0'))])
    await test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    const end = await work(test, 'Go')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(end.message).toContain('/compact')
  })
})

describe('a summary of a window with an unanswered message', () => {
  it('C-1 keeps the message behind the summary, so that a retry asks it', async () => {
    const { test, server } = await summarisingRig(toClose, [says('one'), auth, says('SUMMARY'), says('two')])
    await work(test, LONG)
    await work(test, 'The QUESTION nobody answered')
    expect(await work(test, '/compact')).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test)).slice(-2)).toEqual(['compaction-summary', 'person'])
    expect(await retry(test)).toMatchObject({ outcome: 'completed' })
    expect(server.requests.at(-1)?.rawBody).toContain('The QUESTION nobody answered')
  })

  it('C-2 goes on with a Continue where the summary alone would ask for nothing', async () => {
    const turns = [says('one', 14_000), says('SUMMARY', 15_500), says('two')]
    const { test, server } = await summarisingRig(toClose, turns)
    await work(test, LONG)
    await test.ask('settings.set', { path: 'autoThreshold', value: 0.5 })
    expect(await retry(test)).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test)).slice(-3)).toEqual(['compaction-summary', 'continue', 'assistant'])
    expect(server.requests.at(-1)?.rawBody).toContain('Continue from where')
  })

  it('P-2 C-2 pays for no summary where the message fits no window of the model', async () => {
    const { test, server } = await summarisingRig(toClose, [says('one')])
    await work(test, LONG)
    expect(await work(test, 'tide '.repeat(22_000))).toMatchObject({ reason: 'fresh_request_too_large' })
    expect(server.requests).toHaveLength(1)
    expect(kindsOf(storedRows(test))).not.toContain('compaction-request')
  })

  it('P-8 C-1 sends a rejected message after a summary made room, and leaves the summary where it is', async () => {
    const { test, server } = await summarisingRig(toClose, [says('one', 17_900), says('SUMMARY'), says('two')])
    await test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    await work(test, LONG)
    expect(await work(test, `Second ${'word '.repeat(200)}`)).toMatchObject({ reason: 'automatic_off' })
    await work(test, '/compact')
    const rejected = storedRows(test).find((row) => row.metadata.machine?.type === 'rejected-input')
    const from = test.events.length
    const { workspaceId } = test
    const answer = await test.ask('row.edit', { workspaceId, rowId: rejected?.id ?? '', text: 'Second, shorter' })
    expect(answer).toMatchObject({ kind: 'sent' })
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test))).toContain('compaction-summary')
    expect(server.requests.at(-1)?.rawBody).toContain('SUMMARY')
  })

  it('P-8 does not retry a rejected message behind a summary that failed either', async () => {
    const { test } = await summarisingRig(toClose, [says('one', 17_900), { text: '' }])
    await test.ask('settings.set', { path: 'autoThreshold', value: 1 })
    await work(test, LONG)
    await work(test, `Second ${'word '.repeat(200)}`)
    await work(test, '/compact')
    expect(await retry(test)).toMatchObject({ outcome: 'failed', requests: 0 })
  })
})
