// Owns the whole app with one stand-in server under two protocols, for tests of what was sent to them.
import { expect } from 'vitest'
import { replayOf } from '../../context/testing/replay-of'
import { createManualClock } from '../../provider/testing/manual-clock'
import { scriptedEntry } from '../../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../../provider/testing/scripted-server'
import type { ScriptedTurn } from '../../provider/testing/scripted-turn'
import { startTestApp, type TestApp } from '../../testing/test-app'

export interface ReplayRig {
  readonly server: ScriptedServer
  test: TestApp
  /** Runs one turn on this protocol, with these answers, one a request. */
  turn(provider: 'anthropic' | 'responses', text: string, ...answers: ScriptedTurn[]): ReturnType<TestApp['turn']>
  /** Closes the app and opens it again on the same files. */
  restart(other?: Pick<TestApp, 'workspaceId'>): Promise<void>
}

export async function replayRig(
  cleanUps: (() => unknown)[],
  model: Parameters<typeof scriptedEntry>[2] = { id: 'test-model' }
): Promise<ReplayRig> {
  const server = await startScriptedServer({ turns: [] })
  const providers = [
    scriptedEntry('anthropic', server.baseUrl, model),
    scriptedEntry('responses', server.baseUrl, model)
  ]
  const clock = createManualClock(undefined, 20_000)
  const first = await startTestApp({ providers, model: 'anthropic:test-model', clock })
  cleanUps.push(
    () => server.close(),
    () => first.close(),
    () => made.test.app.close()
  )
  const made: ReplayRig = {
    server,
    test: first,
    async turn(provider, text, ...answers) {
      const { test } = made
      await test.ask('workspace.update', { workspaceId: test.workspaceId, model: `${provider}:test-model` })
      server.push(...answers)
      return test.turn(text)
    },
    async restart(other = made.test) {
      const { home, project } = made.test
      const { workspaceId } = other
      await made.test.app.close()
      made.test = await startTestApp({ again: { home, project, workspaceId }, clock })
    }
  }
  return made
}

/** A step that thinks, speaks and runs a command. */
export const bash = (command: string): ScriptedTurn => ({
  thinking: 'I look first.',
  text: 'Looking.',
  toolCalls: [{ name: 'bash', input: { command } }]
})

/** Verifies that every request that went out is built again identically. */
export async function expectIdentical({ test, server }: ReplayRig): Promise<void> {
  const { verdicts, summary } = await replayOf(test)
  expect(verdicts.filter(({ result }) => result !== 'identical')).toEqual([])
  expect(summary).toEqual({ requests: server.requests.length, differing: 0, damagedLines: 0 })
}
