import { expect, test } from 'vitest'
import { observeFileSystem } from '../history/testing/faulty-file-system'
import { toolPart } from '../history/testing/row-builders'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { type SearchedWorkspace, searchEverywhere, type SearchStep, searchWorkspace } from './search-people'
import { answered, compaction, type HistoryDesk, newDesk, reset, rollover, said } from './testing/history-desk'

function workspaceOf(desk: HistoryDesk, workspaceId = 'ws-1'): SearchedWorkspace {
  return { workspaceId, title: `Title of ${workspaceId}`, browser: desk.browser }
}

async function stepsOf(steps: ReturnType<typeof searchEverywhere>): Promise<SearchStep[]> {
  const all: SearchStep[] = []
  for await (const step of steps) {
    if (!step.ok) throw new Error(step.error.kind)
    all.push(step.value)
  }
  return all
}

test('S-9 a person finds everything: behind resets, tool output, what was never sent; hits stand under their window', async () => {
  const desk = newDesk()
  const capsule = { ...said(12, ''), role: 'assistant' as const, parts: [] }
  desk.write({
    0: [said(1, 'needle in the root'), answered(2, [toolPart('c', { output: { output: 'the NEEDLE of a command' } })])],
    10: [
      reset(10),
      said(11, 'needle after the reset'),
      {
        ...capsule,
        metadata: {
          historySequence: 12,
          machine: { type: 'rejected-input', parts: [{ type: 'text', text: 'needle not sent' }] }
        }
      }
    ],
    20: [compaction(20, 'needle of the summary')]
  })
  const [step, ...others] = await stepsOf(searchWorkspace(workspaceOf(desk), { query: 'needle' }))
  expect(others).toEqual([])
  expect(step?.cursor).toBeNull()
  expect(
    step?.windows.map(({ windowId, title, hits }) => [windowId, title, hits.map(({ snippet }) => snippet)])
  ).toEqual([
    ['w:20', 'Title of ws-1', ['needle of the summary']],
    ['w:10', 'Title of ws-1', ['needle not sent', 'needle after the reset']],
    ['w:0', 'Title of ws-1', ['{"output":"the NEEDLE of a command"}', 'needle in the root']]
  ])
  const hit = step?.windows[2]?.hits[0]
  expect(hit).toMatchObject({ workspaceId: 'ws-1', rowId: 'answer-2', tool_name: 'bash', matchLength: 6 })
  expect(hit?.snippet.slice(hit.matchStart, hit.matchStart + hit.matchLength)).toBe('NEEDLE')
})

test('S-9 hits come in steps: the first after at most 4 MiB, the next behind it, each byte once; aborting stops it', async () => {
  const workspace = tempWorkspace()
  const observed = observeFileSystem()
  const desk = newDesk({ workspace, fs: observed.fs })
  const rows = Array.from({ length: 1_500 }, (_, at) => said(at + 1, at % 300 === 0 ? 'needle' : 'x'.repeat(9_000)))
  desk.write({ 0: rows })
  const bytes = Buffer.byteLength(workspace.readWindow('w-0.jsonl'))
  const steps = await stepsOf(searchWorkspace(workspaceOf(desk), { query: 'needle' }))
  expect(steps.length).toBe(Math.ceil(bytes / 4_194_304))
  expect(steps.flatMap(({ windows }) => windows.flatMap(({ hits }) => hits.map(({ sequence }) => sequence)))).toEqual([
    1_201, 901, 601, 301, 1
  ])
  expect(observed.bytesRead('w-0.jsonl')).toBeLessThan(bytes + 100_000)

  const abort = new AbortController()
  const seen: SearchStep[] = []
  for await (const step of searchWorkspace(workspaceOf(desk), { query: 'needle', signal: abort.signal })) {
    if (step.ok) seen.push(step.value)
    abort.abort()
  }
  expect(seen).toHaveLength(1)
})

test('S-9 a step ends at its number of hits and the next goes on', async () => {
  const desk = newDesk()
  desk.write({ 0: Array.from({ length: 23 }, (_, at) => said(at + 1, 'needle')) })
  const steps = await stepsOf(searchWorkspace(workspaceOf(desk), { query: 'needle', maxHits: () => 10 }))
  expect(steps.map(({ windows }) => windows.flatMap(({ hits }) => hits).length)).toEqual([10, 10, 3])
  const [first] = steps
  const rest = await stepsOf(searchWorkspace(workspaceOf(desk), { query: 'needle', cursor: first?.cursor ?? null }))
  expect(rest.flatMap(({ windows }) => windows.flatMap(({ hits }) => hits))).toHaveLength(13)
})

test('S-9 every workspace is searched in order; one that cannot be read is told, and the others are searched', async () => {
  const desks = [newDesk(), newDesk(), newDesk()]
  for (const [at, desk] of desks.entries()) desk.write({ 0: [said(1, `needle ${at}`)], 5: [rollover(5)] })
  const broken = desks[1]?.browser
  if (broken === undefined) throw new Error('three desks')
  Object.assign(broken, {
    reader: { read: () => Promise.resolve({ ok: false, error: { kind: 'io', message: 'no', path: '', code: 'EIO' } }) }
  })
  const seen: string[] = []
  const workspaces = desks.map((desk, at) => workspaceOf(desk, `ws-${at}`))
  for await (const step of searchEverywhere(workspaces, { query: 'needle' }))
    seen.push(step.ok ? (step.value.windows[0]?.hits[0]?.snippet ?? 'none') : step.error.kind)
  expect(seen).toEqual(['needle 0', 'history', 'needle 2'])
})
