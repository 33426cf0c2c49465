// A notice names exactly the files whose content is not as the model last saw it, whatever happened before.
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { FileTalk } from './testing/file-talk'

vi.setConfig({ testTimeout: 60_000 })

const file = fc.constantFrom('a.txt', 'dir/b é.txt')
// Lines are few and of one length: contents and sizes come back.
const lines = fc.array(fc.constantFrom('one', 'two'), { minLength: 1, maxLength: 2 })
const content = lines.map((each) => each.map((line) => `${line}\n`).join(''))

const outside = fc.record({ kind: fc.constant('change' as const), file, content })
const read = fc.record({ kind: fc.constant('read' as const), file, offset: fc.constantFrom(null, 2) })
const send = fc.record({ kind: fc.constant('send' as const), mention: fc.option(file), isRefused: fc.boolean() })
const operation = fc.oneof(
  { weight: 6, arbitrary: outside },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('touch' as const), file, atMs: fc.constantFrom(1_000, 2_000) })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'folder' as const), file }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), file, to: file }) },
  { weight: 6, arbitrary: read },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), file, content }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), file, to: fc.constantFrom('one', 'new') }) },
  { weight: 6, arbitrary: send },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) }
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

/** Enough that each rule of the baselines is needed (tried by leaving it out). */
const RUNS = 30

/** What is at a path, as words. */
function stateOf(absolute: string): string {
  if (!existsSync(absolute)) return 'none'
  return lstatSync(absolute).isDirectory() ? 'folder' : `text ${readFileSync(absolute, 'utf8')}`
}

/** Waits until the file system's clock has gone on: what comes now carries another time. */
function waitForTick(probe: string): void {
  const timeOf = (): number => {
    writeFileSync(probe, '')
    return lstatSync(probe).ctimeMs
  }
  const start = timeOf()
  while (timeOf() === start);
}

/** `aheadMs` over FRESH_FILE_MS lets the times of files decide, 0 has every file read. */
async function play(operations: readonly Operation[], aheadMs: number): Promise<void> {
  const talk = new FileTalk()
  talk.aheadMs = aheadMs
  const at = (name: string): string => path.join(talk.project.root, name)
  const seen = new Map<string, string>()
  const state = (name: string): string => stateOf(at(name))
  const isFile = (name: string): boolean => state(name).startsWith('text ')
  async function send(mention: string | null, isRefused: boolean): Promise<void> {
    const given = mention !== null && isFile(mention) ? mention : null
    const changed = [...seen.keys()].filter((name) => seen.get(name) !== state(name) && name !== given)
    const { told, snapshots } = await talk.send(mention === null ? 'Go on.' : `See @"${mention}".`, isRefused)
    expect(told).toEqual(changed.toSorted())
    expect(snapshots).toHaveLength(given === null ? 0 : 1)
    if (isRefused) return
    for (const name of [...told, ...(given === null ? [] : [given])]) seen.set(name, state(name))
  }
  try {
    for (const step of operations) {
      if (aheadMs > 0) waitForTick(path.join(talk.project.outside, 'probe'))
      switch (step.kind) {
        case 'change':
          rmSync(at(step.file), { recursive: true, force: true })
          talk.project.write(step.file, step.content)
          break
        case 'touch':
          if (existsSync(at(step.file))) utimesSync(at(step.file), step.atMs / 1_000, step.atMs / 1_000)
          break
        case 'delete':
        case 'folder':
          rmSync(at(step.file), { recursive: true, force: true })
          if (step.kind === 'folder') mkdirSync(at(step.file), { recursive: true })
          break
        case 'rename':
          if (isFile(step.file) && state(step.to) !== 'folder' && existsSync(path.dirname(at(step.to))))
            renameSync(at(step.file), at(step.to))
          break
        case 'read': {
          const before = state(step.file)
          const [settled] = await talk.read(step.file, { offset: step.offset })
          if (settled !== 'output-available') break
          const isWhole = step.offset === null
          if (isWhole || seen.get(step.file)?.startsWith('text ') !== true) seen.set(step.file, before)
          break
        }
        case 'write': {
          const [settled] = await talk.step(['file_write', { path: step.file, content: step.content }])
          if (settled === 'output-available') seen.set(step.file, `text ${step.content}`)
          break
        }
        case 'edit': {
          const before = state(step.file)
          const input = { path: step.file, old_string: 'two', new_string: step.to, replace_all: true }
          const [settled] = await talk.step(['file_edit', input])
          const known = seen.get(step.file)
          if (settled === 'output-available' && (known === undefined || known === before))
            seen.set(step.file, state(step.file))
          break
        }
        case 'send':
          await send(step.mention, step.isRefused)
          break
        case 'restart':
          talk.restart()
          break
      }
    }
    await send(null, false)
    await send(null, false)
  } finally {
    talk.project.remove()
  }
}

test('O-4: after random work inside and outside, a notice names exactly the files that changed', async () => {
  const operations = fc.array(operation, { minLength: 1, maxLength: 40, size: 'max' })
  await fc.assert(fc.asyncProperty(operations, fc.constantFrom(0, 60_000), play), { seed: 40_004, numRuns: RUNS })
})
