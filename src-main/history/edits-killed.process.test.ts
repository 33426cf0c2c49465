// H-10: a process that edits is killed at random moments; what the next one finds is the state before its last step
// or after it, every window verifies, and nothing of an edit is left lying about.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltScript, buildChild } from './testing/build-child'
import { isLong } from './testing/long-form'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'

const KILLS = isLong ? 300 : 14

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('./testing/edit-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

/** Runs the child until it said `lines` lines, kills it, and answers what it said last. */
async function killedAfter(
  workspace: TempWorkspace,
  seed: number,
  lines: number
): Promise<{ is: string; will: string; complaints: string }> {
  const started = spawn(process.execPath, [child.file, workspace.dir, String(seed)])
  let said = ''
  let complaints = ''
  const ended = new Promise<void>((resolve) => started.once('close', () => resolve()))
  started.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.split('\n').length > lines) started.kill('SIGKILL')
  })
  await ended
  const whole = said.split('\n').slice(0, -1)
  const last = (word: string): string =>
    whole.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '[]'
  return { is: last('is'), will: last('will'), complaints }
}

test(`H-10 H-14 an editing process is killed ${KILLS} times: the rows are those before its last step or after it`, async () => {
  const workspace = tempWorkspace()
  for (let kill = 1; kill <= KILLS; kill++) {
    const { is, will, complaints } = await killedAfter(workspace, kill, 3 + ((kill * 7_919) % 41))
    expect(complaints).toBe('')
    const store = await workspace.open()
    const ids = JSON.stringify(workspace.storedIds())
    expect([is, will], `kill ${kill}`).toContain(ids)
    const windows = await store.listWindows()
    for (const { windowId } of windows.ok ? windows.value : []) {
      const verdict = await store.verifyWindow(windowId)
      expect(verdict.ok && verdict.value, `kill ${kill}, ${windowId}`).toMatchObject({ kind: 'verified' })
    }
    await store.close()
    expect(readdirSync(workspace.path('windows')).filter((name) => !/^w-\d+\.jsonl$/.test(name))).toEqual([])
    const sequences = workspace.storedRows().map((row) => row.metadata.historySequence ?? 0)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(store.highestSequence).toBeGreaterThanOrEqual(sequences.at(-1) ?? 0)
  }
}, 900_000)
