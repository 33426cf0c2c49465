import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolPartsOf } from '@common/rows/row-schema'
import { type BuiltScript, buildChild } from './testing/build-child'
import { tempWorkspace, type TempWorkspace } from './testing/temp-workspace'
import { isLong } from './testing/long-form'

/** Kills; the bar of the specification is 1 000. */
const KILLS = isLong ? 1_000 : 12

let child: BuiltScript
beforeAll(async () => {
  child = await buildChild(new URL('./testing/append-child.ts', import.meta.url))
}, 60_000)
afterAll(() => child.remove())

interface Writer {
  readonly process: ChildProcess
  readonly accepted: string[]
  readonly complaints: string[]
  /** Resolves when so many rows were accepted, or the process ended. */
  reached(count: number): Promise<void>
  ended: Promise<void>
}

function startWriter(workspace: TempWorkspace, name: string, mode: string): Writer {
  const started = spawn(process.execPath, [child.file, workspace.dir, name, mode])
  const accepted: string[] = []
  const complaints: string[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let unfinished = ''
  let isOver = false
  const wake = (): void => {
    for (const each of waiting) if (isOver || accepted.length >= each.count) each.resolve()
  }
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() ?? ''
    accepted.push(...lines)
    wake()
  })
  started.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
  const ended = new Promise<void>((resolve) =>
    started.once('close', () => {
      isOver = true
      wake()
      resolve()
    })
  )
  const reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ count, resolve })
      wake()
    })
  return { process: started, accepted, complaints, reached, ended }
}

test(
  `H-1 H-2 H-4 H-7 two processes append and roll over and are killed ${KILLS} times: nothing accepted is lost or twice`,
  async () => {
    const workspace = tempWorkspace()
    const accepted: string[] = []
    const modes = ['streams', '']
    const writers = modes.map((mode, index) => startWriter(workspace, `p${index}-0`, mode))
    for (let kill = 1; kill <= KILLS; kill++) {
      const index = kill % 2
      const writer = writers[index]
      if (writer === undefined) throw new Error('There are two writers.')
      await writer.reached(1 + ((kill * 7_919) % 23))
      writer.process.kill('SIGKILL')
      await writer.ended
      expect(writer.complaints).toEqual([])
      accepted.push(...writer.accepted)
      writers[index] = startWriter(workspace, `p${index}-${kill}`, modes[index] ?? '')
    }
    for (const writer of writers) {
      await writer.reached(3)
      writer.process.kill('SIGKILL')
      await writer.ended
      accepted.push(...writer.accepted)
    }
    const store = await workspace.open()
    expect((await store.recoverPartial()).ok).toBe(true)
    const rows = workspace.storedRows()
    const ids = rows.map((row) => row.id)
    expect(new Set(ids).size).toBe(ids.length)
    const stored = new Set(ids)
    expect(accepted.filter((id) => !stored.has(id))).toEqual([])
    expect(accepted.length).toBeGreaterThan(KILLS)
    const sequences = rows.map((row) => row.metadata.historySequence ?? 0)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(new Set(sequences).size).toBe(sequences.length)
    expect(rows.flatMap(toolPartsOf).every((part) => part.state === 'interrupted')).toBe(true)
    expect((await store.activeWindow()).ok).toBe(true)
    await store.close()
  },
  isLong ? 900_000 : 60_000
)
