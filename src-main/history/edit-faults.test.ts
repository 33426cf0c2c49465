// H-10, H-14: every file-system call of an edit fails, lies or is the last one before the process dies. Afterwards
// the history is what it was or what it was to be, byte for byte, and what was cut is in cut-rows.jsonl once.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '@common/result'
import type { NewRow } from '@common/rows/row-schema'
import { fastTempFolder } from '../testing/fast-temp-folder'
import type { HistoryError } from './history-error'
import type { HistoryStore } from './history-store'
import { type FaultMode, observeFileSystem } from './testing/faulty-file-system'
import { assistantRow, personRow, resetRow, rolloverBatch } from './testing/row-builders'
import { TempWorkspace, tempWorkspace } from './testing/temp-workspace'
import { inForm } from './testing/long-form'

type Windows = Readonly<Record<string, string>>

interface Scenario {
  readonly name: string
  run(store: HistoryStore): Promise<Result<unknown, HistoryError>>
  /** The windows after it, from those before. */
  after(before: Windows): Windows
  readonly cut: readonly string[]
}

const ODD_LINE = 'no json \u0000 at all'

/** Two sealed windows and one in force; a damaged line in each that is edited. */
async function build(workspace: TempWorkspace, store: HistoryStore): Promise<void> {
  const batches: NewRow[][] = [
    [personRow('a'), assistantRow('b')],
    [personRow('c'), assistantRow('d')],
    [resetRow('r'), personRow('e'), assistantRow('f')],
    rolloverBatch('s'),
    [assistantRow('g')]
  ]
  for (const [index, rows] of batches.entries()) {
    expect((await store.appendMany(rows)).ok).toBe(true)
    if (index !== 0) continue
    await store.close()
    const path = workspace.path('windows', 'w-0.jsonl')
    writeFileSync(path, `${readFileSync(path, 'utf8')}${ODD_LINE}\n`)
    return build2(workspace, batches.slice(1))
  }
}

async function build2(workspace: TempWorkspace, batches: NewRow[][]): Promise<void> {
  const store = await workspace.open()
  for (const rows of batches) expect((await store.appendMany(rows)).ok).toBe(true)
  await store.close()
}

function windowsOf(workspace: TempWorkspace): Windows {
  return Object.fromEntries(workspace.windowNames().map((name) => [name, workspace.readWindow(name)]))
}

function without(text: string | undefined, id: string): string {
  return (text ?? '').replace(new RegExp(`^.*"id":"${id}".*\\n`, 'm'), '')
}

function upTo(text: string | undefined, id: string): string {
  const lines = (text ?? '').split('\n')
  return lines
    .slice(
      0,
      lines.findIndex((line) => line.includes(`"id":"${id}"`))
    )
    .map((line) => `${line}\n`)
    .join('')
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'truncating across two boundaries',
    run: (store) => store.truncateFrom({ id: 'c' }, { isConfirmed: true }),
    after: (before) => ({ 'w-0.jsonl': upTo(before['w-0.jsonl'], 'c') }),
    cut: ['c', 'd', 'r', 'e', 'f', 's-boundary', 's-lead-in', 's-continue', 'g']
  },
  {
    name: 'deleting a row of a sealed window',
    run: (store) => store.deleteRow({ id: 'b' }),
    after: (before) => ({ ...before, 'w-0.jsonl': without(before['w-0.jsonl'], 'b') }),
    cut: ['b']
  },
  {
    name: 'a hard clear',
    run: (store) => store.clear(),
    after: () => ({}),
    cut: ['a', 'b', 'c', 'd', 'r', 'e', 'f', 's-boundary', 's-lead-in', 's-continue', 'g']
  },
  {
    name: 'amending a row of the window in force',
    run: (store) => store.amendRow({ id: 'g' }, { note: 'late' }),
    after: (before) => ({
      ...before,
      'w-8.jsonl': (before['w-8.jsonl'] ?? '').replace(
        /("id":"g".*"metadata":\{)(.*)("timestamp")/,
        '$1$2"note":"late",$3'
      )
    }),
    cut: []
  }
]

function cutIds(workspace: TempWorkspace): string[] {
  if (!existsSync(workspace.path('cut-rows.jsonl'))) return []
  return readFileSync(workspace.path('cut-rows.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('{"id"') ? [(JSON.parse(line) as { id: string }).id] : []))
}

/** Built once: what each try starts from. */
const template = new TempWorkspace(mkdtempSync(join(fastTempFolder(), 'tidemark-history-')))
beforeAll(async () => build(template, await template.open()))
afterAll(() => rmSync(template.dir, { recursive: true, force: true }))

function prepared(): { workspace: TempWorkspace; before: Windows } {
  const workspace = tempWorkspace()
  cpSync(template.dir, workspace.dir, { recursive: true, preserveTimestamps: true })
  return { workspace, before: windowsOf(workspace) }
}

/** Everything agrees with either state, and the history goes on. */
async function expectEither(
  workspace: TempWorkspace,
  {
    before,
    scenario,
    place,
    mustBe
  }: { before: Windows; scenario: Scenario; place: string; mustBe: 'old' | 'new' | null }
): Promise<void> {
  const store = await workspace.open()
  const found = windowsOf(workspace)
  const after = scenario.after(before)
  const isNew = JSON.stringify(found) === JSON.stringify(after)
  if (!isNew) expect(found, place).toEqual(before)
  if (mustBe !== null) expect(isNew ? 'new' : 'old', place).toBe(mustBe)
  expect(cutIds(workspace), place).toEqual(isNew ? scenario.cut : [])
  expect(
    readdirSync(workspace.path('windows')).filter((name) => !/^w-\d+\.jsonl$/.test(name)),
    place
  ).toEqual([])
  const later = await store.appendMany([personRow('later')])
  expect(later.ok && later.value[0]?.metadata.historySequence, place).toBe(12)
  const windows = await store.listWindows()
  for (const { windowId } of windows.ok ? windows.value : []) {
    const verdict = await store.verifyWindow(windowId)
    expect(verdict.ok && verdict.value, `${place} ${windowId}`).toMatchObject({ kind: 'verified' })
  }
  await store.close()
}

const MODES: readonly FaultMode[] = ['refused', 'answer-lost', 'half-done', 'no-more-writes']
/** Every call in the long form; in the others every so many, others for each mode. */
const STEP = inForm({ quick: 16, full: 5, long: 1 })

describe.each(SCENARIOS)('H-10 each file-system call of $name fails once', (scenario) => {
  test.each(MODES)('%s: it happened whole or not at all, and the answer says which', async (mode) => {
    for (let failAt = (MODES.indexOf(mode) * Math.floor(STEP / MODES.length)) % STEP; ; failAt += STEP) {
      const { workspace, before } = prepared()
      const observed = observeFileSystem()
      const store = await workspace.open({ fs: observed.fs })
      observed.arm({ failAt, mode })
      const outcome = await scenario.run(store)
      const struck = observed.struck()
      observed.arm(null)
      // The same store goes on: what the fault left is put right before anything is appended.
      expect((await store.rowsAfter(0)).ok).toBe(true)
      const place = `${mode} at call ${failAt} (${struck?.name} ${struck?.path.slice(-20)})`
      if (!outcome.ok) expect(outcome.error.message, place).toMatch(/^[A-Z].*\.$/)
      await store.close()
      workspace.buryOwners()
      const mustBe = outcome.ok || outcome.error.kind === 'edit_unfinished' ? 'new' : 'old'
      await expectEither(workspace, { before, scenario, place, mustBe })
      if (struck === null) return
    }
  })

  test('dead: the next one who opens finds the old state or the new one', async () => {
    const seen = new Set<string>()
    for (let failAt = 0; ; failAt += inForm({ quick: 9, full: 3, long: 1 })) {
      const { workspace, before } = prepared()
      const observed = observeFileSystem()
      const store = await workspace.open({ fs: observed.fs })
      observed.arm({ failAt, mode: 'dead' })
      const outcome = await scenario.run(store)
      if (observed.struck() === null) {
        await store.close()
        break
      }
      workspace.buryOwners()
      const mustBe = outcome.ok ? 'new' : null
      await expectEither(workspace, { before, scenario, place: `dead at call ${failAt}`, mustBe })
      seen.add(JSON.stringify(windowsOf(workspace)).length > 900 ? 'old' : 'new')
    }
    expect(seen.size).toBeGreaterThan(0)
  })
})

test('H-10 a marker that is cut at any byte costs no row: the windows stay as they are', async () => {
  const { workspace, before } = prepared()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  const { rename } = observed.fs
  let isCommitted = false
  observed.fs.rename = (from, to) => {
    rename(from, to)
    if (!to.endsWith('edit.json')) return
    if (isCommitted) observed.arm({ failAt: 0, mode: 'dead' })
    isCommitted = true
  }
  await store.truncateFrom({ id: 'c' }, { isConfirmed: true })
  const marker = readFileSync(workspace.path('windows', 'edit.json'))
  for (let at = 0; at < marker.length - 1; at += inForm({ quick: 97, full: 29, long: 1 })) {
    workspace.buryOwners()
    writeFileSync(workspace.path('windows', 'edit.json'), marker.subarray(0, at))
    const next = await workspace.open()
    expect(windowsOf(workspace), `cut at ${at}`).toEqual(before)
    await next.close()
  }
  expect(readdirSync(workspace.path('windows')).some((name) => name.startsWith('edit.json.damaged-'))).toBe(true)
  writeFileSync(workspace.path('windows', 'edit.json'), marker)
  const last = await workspace.open()
  expect(Object.keys(windowsOf(workspace))).toEqual(['w-0.jsonl'])
  await last.close()
})

test('H-10 a committed edit leaves alone what somebody else changed meanwhile', async () => {
  const { workspace } = prepared()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  const { unlink } = observed.fs
  observed.fs.unlink = (path) => {
    if (path.includes('w-8.jsonl')) observed.arm({ failAt: 0, mode: 'dead' })
    unlink(path)
  }
  await store.truncateFrom({ id: 'c' }, { isConfirmed: true })
  workspace.buryOwners()
  const path = workspace.path('windows', 'w-5.jsonl')
  const changed = `${readFileSync(path, 'utf8')}{"id":"mine","role":"user","parts":[],"metadata":{}}\n`
  writeFileSync(path, changed)
  const next = await workspace.open()
  expect(readFileSync(path, 'utf8')).toBe(changed)
  expect(existsSync(workspace.path('windows', 'edit.json'))).toBe(false)
  await next.close()
})

test('H-10 cut rows that a crash cut short are taken back with the edit', async () => {
  const { workspace, before } = prepared()
  const observed = observeFileSystem()
  const store = await workspace.open({ fs: observed.fs })
  expect((await store.deleteRow({ id: 'a' })).ok).toBe(true)
  const kept = readFileSync(workspace.path('cut-rows.jsonl'))
  const { sync } = observed.fs
  observed.fs.sync = async (descriptor) => {
    const isCutRows = observed.openFiles().some((path) => path.endsWith('cut-rows.jsonl'))
    if (isCutRows) observed.arm({ failAt: 0, mode: 'dead' })
    return sync(descriptor)
  }
  expect((await store.deleteRow({ id: 'b' })).ok).toBe(false)
  workspace.buryOwners()
  const size = readFileSync(workspace.path('cut-rows.jsonl')).length
  truncateSync(workspace.path('cut-rows.jsonl'), kept.length + Math.floor((size - kept.length) / 2))
  const next = await workspace.open()
  expect(readFileSync(workspace.path('cut-rows.jsonl')).equals(kept)).toBe(true)
  expect(workspace.readWindow('w-0.jsonl')).toBe(without(before['w-0.jsonl'], 'a'))
  await next.close()
})
