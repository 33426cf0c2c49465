// Owns the whole app beside a stand-in provider, for tests of what survives a compaction.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { planFileOf } from '@common/agents/protected-paths'
import type { PostCompactionContext, Row } from '@common/rows/row-schema'
import { scriptedEntry } from '../../provider/testing/provider-entries'
import { startScriptedServer, type ScriptedServer } from '../../provider/testing/scripted-server'
import type { ScriptedToolCall, ScriptedTurn } from '../../provider/testing/scripted-turn'
import { startTestApp, type TestApp, type TestAppOptions, type TurnEnded } from '../../testing/test-app'

export interface CompactionRig {
  readonly server: ScriptedServer
  test: TestApp
  /** Sends, and resolves with the end of the last turn that it leads to; answers in order, one a request. */
  work(text: string, ...answers: readonly ScriptedTurn[]): Promise<TurnEnded>
  /** `/compact`, answered with this summary. */
  compact(summary?: string): Promise<TurnEnded>
  writePlan(content: string): string
  /** What the window in force carries; undefined for nothing. */
  header(): Promise<PostCompactionContext | undefined>
  /** Closes the app and opens this workspace on the same files. */
  restart(other?: Pick<TestApp, 'workspaceId'>): Promise<void>
}

export const SAID = 'Look at the parser and say what is wrong with it. '.repeat(40)

/** `model`: the default knows no limit that a test reaches. */
export async function compactionRig(
  cleanUps: (() => unknown)[],
  options: TestAppOptions & { readonly limits?: Parameters<typeof scriptedEntry>[2] } = {}
): Promise<CompactionRig> {
  const { limits = { id: 'test-model' }, ...others } = options
  const server = await startScriptedServer({ turns: [] })
  const providers = [scriptedEntry('anthropic', server.baseUrl, limits)]
  const first = await startTestApp({ providers, model: 'anthropic:test-model', personPresent: false, ...others })
  cleanUps.push(
    () => server.close(),
    () => first.close(),
    () => rig.test.app.close()
  )
  const rig: CompactionRig = {
    server,
    test: first,
    async work(text, ...answers) {
      const { test } = rig
      server.push(...answers)
      const from = test.events.length
      const ended = (): TurnEnded | undefined =>
        test.events.slice(from).find((event): event is TurnEnded => event.type === 'turn-ended' && !event.continues)
      await test.send(text)
      for (;;) {
        const end = ended()
        if (end !== undefined) return end
        await test.nextEnd()
      }
    },
    compact: (summary = 'SUMMARY') => rig.work('/compact', { text: summary }),
    writePlan(content) {
      const file = path.join(rig.test.project, planFileOf(rig.test.workspaceId))
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    async header() {
      return (await boundaryOf(rig.test)).metadata.postCompactionContext
    },
    async restart(other = rig.test) {
      const { home, project } = rig.test
      const { workspaceId } = other
      await rig.test.app.close()
      rig.test = await startTestApp({ again: { home, project, workspaceId }, personPresent: false })
    }
  }
  return rig
}

export async function boundaryOf(test: TestApp): Promise<Row> {
  const [boundary] = await test.rows()
  if (boundary === undefined) throw new Error('The window has no row.')
  return boundary
}

/** A step that makes these calls. */
export const calls = (...toolCalls: readonly ScriptedToolCall[]): ScriptedTurn => ({ toolCalls })
export const write = (file: string, content: string): ScriptedToolCall => ({
  name: 'file_write',
  input: { path: file, content }
})
export const edit = (file: string, from: string, to: string): ScriptedToolCall => ({
  name: 'file_edit',
  input: { path: file, old_string: from, new_string: to }
})
export const todo = (...contents: readonly string[]): ScriptedToolCall => ({
  name: 'todo',
  input: { items: contents.map((content) => ({ content, status: 'pending' })) }
})
