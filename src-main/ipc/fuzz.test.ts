// The whole app behind its one door: whatever name and input come in, a value comes out, soon, and what is refused
// changes nothing on disk.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { RequestFailure } from '@common/contract/bridge'
import { REQUESTS } from '@common/contract/requests'
import type { RequestName } from '@common/contract/requests'
import { sensibleInputs } from '@common/testing/sensible-inputs'
import { inForm, isLong } from '../history/testing/long-form'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'

const NAMES = Object.keys(REQUESTS) as RequestName[]
/** A sentence, not a page: it is shown in a toast. */
const MAX_MESSAGE_CHARS = 1_000
const SOON_MS = 10_000
/** Requests that go to the network or to this machine's servers: asked elsewhere. */
const SLOW: ReadonlySet<RequestName> = new Set(['providers.detect', 'providers.test', 'models.list'])

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function started(): Promise<TestApp> {
  const server = await startScriptedServer({ turns: () => ({ text: 'Fine.' }) })
  cleanUps.push(() => server.close())
  const providers = [scriptedEntry('anthropic', server.baseUrl)]
  const test = await startTestApp({ providers, model: 'anthropic:test-model' })
  cleanUps.push(() => test.close())
  test.writeProject('a.txt', 'tide')
  await test.turn('Hello')
  return test
}

/** The answer, held to the form that every answer has. */
async function answerOf(test: TestApp, name: unknown, input: unknown) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${String(name)} has no answer after ${SOON_MS} ms`)), SOON_MS)
  })
  const answer = await Promise.race([test.app.dispatch(name, input), late])
  clearTimeout(timer)
  if (answer.ok) return answer
  expect(RequestFailure.parse(answer.error)).toEqual(answer.error)
  expect(answer.error.kind).not.toBe('internal')
  expect(answer.error.message.length).toBeLessThan(MAX_MESSAGE_CHARS)
  expect(answer.error.message).not.toMatch(/\n\s+at |\[object/)
  return answer
}

/** Every file below, with a hash of what it holds; the log may grow, a lock may come and go. */
function picture(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (/\blog\b|\.lock\b/.test(name) || !statSync(file).isFile()) continue
    found[name] = createHash('sha256').update(readFileSync(file)).digest('hex')
  }
  return found
}

const hostileText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '../../../etc/passwd',
    '/etc/passwd',
    '..\\..\\x',
    '%2e%2e%2f',
    'a\u0000b',
    '\u0000',
    '__proto__',
    'constructor.prototype.polluted',
    '\ud83c',
    '￼\u202e',
    'C:\\Windows',
    'x'.repeat(100_000)
  )
)
const ODD_NAMES: readonly unknown[] = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'App.Start',
  'app.start ',
  'app',
  null,
  undefined,
  0,
  {},
  ['app.start'],
  Symbol('app.start'),
  { toString: () => 'app.start' }
]
const hostile = fc.oneof(hostileText, fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 2 }))

describe('any request', () => {
  it('is answered with a value, whatever its name', async () => {
    const test = await started()
    const before = picture(test.home)
    const names = fc.oneof(hostileText, fc.constantFrom(...ODD_NAMES))
    await fc.assert(
      fc.asyncProperty(names, hostile, async (name, input) => {
        if (typeof name === 'string' && Object.hasOwn(REQUESTS, name)) return
        expect(await answerOf(test, name, input)).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
      }),
      { seed: 5_101, numRuns: inForm({ quick: 100, full: 300, long: 3_000 }) }
    )
    expect(picture(test.home)).toEqual(before)
  })

  it('is answered with a value and changes nothing, where its input cannot be used', async () => {
    const test = await started()
    const before = picture(test.home)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NAMES), hostile, async (name, input) => {
        if (REQUESTS[name].input.safeParse(input).success) return
        expect(await answerOf(test, name, input)).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
      }),
      { seed: 5_102, numRuns: inForm({ quick: 150, full: 500, long: 5_000 }) }
    )
    expect(picture(test.home)).toEqual(before)
  })

  it(
    'is answered with a value, where one field of a good input is another',
    { timeout: isLong ? 300_000 : 30_000 },
    async () => {
      const test = await started()
      const { workspaceId } = test
      const sensible = sensibleInputs(workspaceId)
      const outside = picture(test.project)
      const cases = fc
        .constantFrom(...NAMES.filter((name) => !SLOW.has(name) && name !== 'workspace.delete'))
        .chain((name) =>
          fc.record({
            name: fc.constant(name),
            field: fc.constantFrom(...Object.keys(sensible[name]), 'surplus'),
            value: hostile
          })
        )
      await fc.assert(
        fc.asyncProperty(cases, async ({ name, field, value }) => {
          await answerOf(test, name, { ...sensible[name], [field]: value })
          expect(Object.keys(Object.prototype)).toEqual([])
          expect(Reflect.get({}, 'polluted')).toBeUndefined()
        }),
        { seed: 5_103, numRuns: inForm({ quick: 120, full: 400, long: 4_000 }) }
      )
      await test.session.interrupt()
      expect(picture(test.project)).toEqual(outside)
      const entries = readdirSync(path.join(test.home, 'workspaces'))
      expect(entries.filter((name) => !/^\d{4}-\d{2}-\d{2}-[0-9a-f]{10}$/.test(name))).toEqual([])
      expect(await test.ask('app.start', {})).toMatchObject({ homePath: test.home })
    }
  )

  it('of a workspace that is none of ours is refused, and nothing is made for it', async () => {
    const test = await started()
    const before = picture(test.home)
    const ids = '.. . ../workspaces a/b ../../../../etc %2e%2e __proto__ constructor UPPER trash nobody-home ２０２６'
      .split(' ')
      .concat(' ', 'a\u0000', `${test.workspaceId}/`, `./${test.workspaceId}`)
    const asked = NAMES.filter((name) => 'workspaceId' in sensibleInputs('w')[name])
    for (const id of ids) {
      for (const name of asked) {
        const answer = await answerOf(test, name, sensibleInputs(id)[name])
        // These two only let go of something, and there is nothing to let go of.
        if (name === 'turn.interrupt' || name === 'workspace.close') expect(answer).toEqual({ ok: true, value: {} })
        else expect({ id, name, ok: answer.ok }).toEqual({ id, name, ok: false })
      }
    }
    expect(picture(test.home)).toEqual(before)
    expect(existsSync(path.join(test.home, 'trash'))).toBe(false)
  })

  it('for a path that no system takes is refused, and one in a damaged file hides no workspace', async () => {
    const test = await started()
    const { workspaceId } = test
    for (const bad of ['a\u0000b', '\u0000', 'x'.repeat(100_000)]) {
      expect(await answerOf(test, 'project.open', { path: bad })).toMatchObject({ ok: false })
      expect(await answerOf(test, 'workspace.update', { workspaceId, projectPath: bad })).toMatchObject({ ok: false })
      await answerOf(test, 'files.search', { workspaceId, query: bad })
      await answerOf(test, 'shell.reveal', { workspaceId, path: bad })
    }
    await test.app.close()
    const file = path.join(test.session.folder, 'workspace.json')
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...(stored as object), projectPath: 'a\u0000b' }))
    const again = await startTestApp({ again: test })
    cleanUps.push(() => again.close())
    const { workspaces } = await again.ask('app.start', {})
    expect(workspaces.map((workspace) => [workspace.workspaceId, workspace.projectReadable])).toEqual([
      [workspaceId, false]
    ])
    expect(await again.turn('Hello?')).toMatchObject({ outcome: 'failed', reason: 'project' })
  })

  it('for a file by a name that leads elsewhere finds nothing', async () => {
    const test = await started()
    const { workspaceId } = test
    const config = path.join(test.home, 'providers.json')
    for (const id of ['../../providers.json', config, `../../../..${config}`, '..', 'providers.json\u0000']) {
      expect(await answerOf(test, 'spill.read', { workspaceId, spillId: id, offset: 0 })).toMatchObject({ ok: false })
      expect(await answerOf(test, 'row.raw', { workspaceId, rowId: id })).toMatchObject({ ok: false })
      expect(await answerAttachment(id)).toMatchObject({ ok: false })
      expect(await answerOf(test, 'memory.read', { workspaceId, path: id })).toMatchObject({ ok: false })
      expect(await answerOf(test, 'memory.read', { workspaceId, path: `/memories/global/${id}` })).toMatchObject({
        ok: false
      })
      expect(await answerOf(test, 'workspace.page', { workspaceId, before: id })).toBeDefined()
    }

    function answerAttachment(id: string) {
      return answerOf(test, 'attachment.read', { workspaceId, sha256: id })
    }
  })
})
