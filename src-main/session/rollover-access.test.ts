// Proves that nothing is sealed which the agent could not fetch back (G-3): the policy of the agent decides, and the
// history must really answer.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import {
  bash,
  budgetProblemsOf,
  budgetRig,
  type BudgetRig,
  calls,
  countOf,
  kindsOf,
  lastEnd,
  says,
  storedRows,
  watchedFileSystem,
  work
} from './testing/budget-rig'
import { closeAfterEach } from '../testing/close-after-each'

const toClose = closeAfterEach()

/** What stands between the front matter's lines of an agent. */
const ALLOW = (match: string): string => `  - match: "${match}"\n    action: allow\n`
const DENY = (match: string): string => `  - match: "${match}"\n    action: deny\n`
const MAY: Readonly<Record<string, string>> = {
  'names it': `tools:\n${ALLOW('bash')}${ALLOW('session_history')}`,
  'has a wildcard that matches it': `tools:\n${ALLOW('bash')}${ALLOW('session_.*')}`,
  'inherits it from exec': `base: exec\ntools:\n${DENY('file_.*')}`,
  'inherits it from explore': `base: explore\ntools:\n${ALLOW('bash')}`
}
const MAY_NOT: Readonly<Record<string, string>> = {
  'never names it': `tools:\n${ALLOW('bash')}`,
  'allows all and denies it': `tools:\n${ALLOW('.*')}${DENY('session_history')}`,
  'inherits it and denies it by a wildcard': `base: exec\ntools:\n${DENY('session_.*')}`
}

async function withAgent(
  front: string,
  turns: readonly (ScriptedTurn | (() => Promise<ScriptedTurn>))[]
): Promise<BudgetRig> {
  const made = await budgetRig(toClose, turns)
  const { test } = made
  mkdirSync(path.join(test.home, 'agents'), { recursive: true })
  writeFileSync(path.join(test.home, 'agents', 'sailor.md'), `---\nname: Sailor\n${front}---\nYou sail.\n`)
  await test.ask('workspace.update', { workspaceId: test.workspaceId, agentId: 'sailor' })
  return made
}

async function useExec(test: TestApp): Promise<void> {
  await test.ask('workspace.update', { workspaceId: test.workspaceId, agentId: 'exec' })
}

describe('G-3 an agent that may read the history back', () => {
  it.each(Object.keys(MAY))('rolls over where its policy %s', async (name) => {
    const { test, server } = await withAgent(MAY[name] ?? '', [says('One.', 15_200)])
    await work(test, 'First')
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
    expect(server.requests[1]?.rawBody).toContain('"name":"session_history"')
  })
})

describe('G-3 an agent that may not', () => {
  it.each(Object.keys(MAY_NOT))('is blocked before anything is sealed where its policy %s', async (name) => {
    const { test, server } = await withAgent(MAY_NOT[name] ?? '', [says('One.', 15_200)])
    await work(test, 'First')
    const end = await work(test, 'Second')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'history_access' })
    for (const word of ['session_history', '/clear --soft']) expect(end.message).toContain(word)
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', 'rejected-input'])
    expect(test.session.store.currentWindowId).toBe('w:0')
    expect(server.requests).toHaveLength(1)
    // The experiment widens nothing.
    expect(server.requests[0]?.rawBody).not.toContain('"name":"session_history"')
    // Both ways out.
    await useExec(test)
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
  })

  it('goes on behind /clear --soft, also in a window that holds nothing but the reset', async () => {
    const { test, server } = await withAgent(MAY_NOT['never names it'] ?? '', [
      says('One.', 15_200),
      says('Two.', 15_200)
    ])
    await work(test, 'First')
    await test.send('/clear --soft')
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(server.requests).toHaveLength(2)
  })

  it('leaves no capsule of the app’s own Continue, shows the block, and asks nobody again', async () => {
    const { test, server } = await withAgent(MAY_NOT['never names it'] ?? '', [calls(15_200, bash('echo once'))])
    const end = await work(test, 'Do the work')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked', reason: 'history_access', continues: false })
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant'])
    expect(test.session.queue.entries).toEqual([])
    const { status } = await test.ask('workspace.open', { workspaceId: test.workspaceId })
    expect(status.lastProblem).toMatchObject({ outcome: 'context_budget_blocked', reason: 'history_access' })
    expect(server.requests).toHaveLength(1)
    await useExec(test)
    expect(await work(test, 'Go on')).toMatchObject({ outcome: 'completed' })
    expect(budgetProblemsOf(storedRows(test))).toEqual([])
  })

  it('keeps the person’s queue where the message that carries the rollover is blocked', async () => {
    const first = async (): Promise<ScriptedTurn> => {
      for (const text of ['Then this', 'And that']) await made.test.send(text, 'turn-end')
      return calls(15_200, bash('echo once'))
    }
    const made: BudgetRig = await withAgent(MAY_NOT['never names it'] ?? '', [first])
    const { test } = made
    const end = await work(test, 'Do the work')
    expect(end).toMatchObject({ outcome: 'context_budget_blocked' })
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', 'rejected-input'])
    expect(test.session.queue.entries.map(({ text, held }) => [text, held])).toEqual([['And that', true]])
    await useExec(test)
    const from = test.events.length
    const [held] = test.session.queue.entries
    await test.ask('queue.send', { workspaceId: test.workspaceId, entryId: held?.id ?? '' })
    expect(await lastEnd(test, from)).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
  })
})

describe('G-3 a history that cannot be read back the moment the window is full', () => {
  /** Reads of the window file fail, but for the first of a turn, on which the turn itself rests. */
  async function unreadable(turns: readonly ScriptedTurn[]): Promise<BudgetRig & { mend(): void }> {
    let reads = Infinity
    const fs = watchedFileSystem((name, file) => {
      if (name !== 'open' || !file.endsWith('windows/w-0.jsonl')) return
      if (reads-- <= 0) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: name, path: file })
    })
    const made = await budgetRig(toClose, turns, { fs })
    await work(made.test, 'First')
    // What others wrote meanwhile, and the window itself.
    reads = 2
    return { ...made, mend: () => (reads = Infinity) }
  }

  it('goes on in the old window, told why, and rolls over once it can be read', async () => {
    const { test, server, mend } = await unreadable([says('One.', 15_200), says('Two.', 15_300)])
    expect(await work(test, 'Second')).toMatchObject({ outcome: 'completed' })
    expect(kindsOf(storedRows(test))).toEqual(['person', 'assistant', 'person', 'assistant'])
    const told = test.events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []))
    expect(told).toEqual([expect.stringContaining('cannot be read back now')])
    mend()
    expect(await work(test, 'Third')).toMatchObject({ outcome: 'completed' })
    expect(countOf(storedRows(test), 'context-window-rollover')).toBe(1)
    expect(server.problems).toEqual([])
  })
})
