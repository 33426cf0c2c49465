// What a person typed survives: restarts, cut files, two processes, a full disk, changes at the same moment (T-2).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUEUE_ENTRIES } from '@common/constants'
import type { QueueEntry } from '@common/contract/views'
import { inForm } from '../history/testing/long-form'
import { systemClock } from '../files/system-clock'
import { tempWorkspace } from '../history/testing/temp-workspace'
import { MessageQueue } from './message-queue'

function entry(id: string, fields: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id,
    text: `text of ${id}`,
    attachments: [],
    mode: 'tool-end',
    source: 'person',
    held: false,
    queuedAtMs: 1,
    ...fields
  }
}

const attachment = { sha256: 'ab'.repeat(32), mediaType: 'image/png', filename: 'a.png', bytes: 12 }

interface Opening {
  readonly stored?: readonly string[]
  onChange?(entries: readonly QueueEntry[]): void
}

async function openQueue(path: string, { stored = [], onChange = () => undefined }: Opening = {}) {
  return MessageQueue.open(path, { clock: systemClock, isStored: async (id) => stored.includes(id), onChange })
}

function idsIn(path: string): string[] {
  const file = JSON.parse(readFileSync(path, 'utf8')) as { entries: { id: string }[] }
  return file.entries.map(({ id }) => id)
}

function idsOf(queue: MessageQueue): string[] {
  return queue.entries.map(({ id }) => id)
}

describe('a queue', () => {
  it('T-2 is on disk before anybody hears of it', async () => {
    const path = tempWorkspace().path('queue.json')
    const heard: string[][] = []
    const { queue } = await openQueue(path, { onChange: () => heard.push(idsIn(path)) })
    expect(await queue.add(entry('a'))).toEqual({ ok: true, value: undefined })
    await queue.add(entry('b'))
    await queue.remove('a')
    expect(heard).toEqual([['a'], ['a', 'b'], ['b']])
    expect(idsOf(queue)).toEqual(['b'])
  })

  it('T-2 comes back after a restart with the entries of the person, held', async () => {
    const path = tempWorkspace().path('queue.json')
    const { queue } = await openQueue(path)
    await queue.add(entry('typed', { attachments: [attachment] }))
    await queue.add(entry('delivered'))
    await queue.add(entry('machine', { source: 'machine' }))
    const again = await openQueue(path, { stored: ['delivered'] })
    expect(again).toMatchObject({ damage: null })
    expect(again.queue.entries).toEqual([entry('typed', { held: true, attachments: [attachment] })])
    expect(again.queue.next(false)).toBeNull()
  })

  it('T-2 forgets for good what a restart found delivered', async () => {
    const path = tempWorkspace().path('queue.json')
    const first = await openQueue(path)
    await first.queue.add(entry('delivered'))
    await first.queue.add(entry('machine', { source: 'machine' }))
    const second = await openQueue(path, { stored: ['delivered'] })
    await second.queue.add(entry('new'))
    expect(idsIn(path)).toEqual(['new'])
    expect(idsOf((await openQueue(path)).queue)).toEqual(['new'])
  })

  it('T-2 gives the next entry in order, and after a step only one that asked for that', async () => {
    const { queue } = await openQueue(tempWorkspace().path('queue.json'))
    expect(queue.next(false)).toBeNull()
    await queue.add(entry('held', { held: true }))
    await queue.add(entry('later', { mode: 'turn-end' }))
    expect([queue.next(false)?.id, queue.next(true), queue.wantsStepEnd()]).toEqual(['later', null, false])
    await queue.add(entry('soon'))
    expect([queue.next(false)?.id, queue.next(true)?.id, queue.wantsStepEnd()]).toEqual(['later', 'soon', true])
  })

  it('T-2 changes, moves and removes an entry, and says so of one that is gone', async () => {
    const path = tempWorkspace().path('queue.json')
    const { queue } = await openQueue(path)
    for (const id of ['a', 'b', 'c']) await queue.add(entry(id))
    await queue.move('c', 0)
    await queue.move('a', 99)
    await queue.edit('b', { text: 'better', mode: 'turn-end' })
    expect(queue.entries).toEqual([entry('c'), entry('b', { text: 'better', mode: 'turn-end' }), entry('a')])
    const gone = { ok: false, error: 'That message is no longer in the queue; it was sent or removed.' }
    expect(await queue.remove('nobody')).toEqual(gone)
    expect(await queue.edit('nobody', { text: 'x' })).toEqual(gone)
    expect(await queue.move('nobody', 0)).toEqual(gone)
    expect(idsIn(path)).toEqual(['c', 'b', 'a'])
  })

  it('T-2 does not bring back an entry that is sent while it is being moved or changed', async () => {
    const { queue } = await openQueue(tempWorkspace().path('queue.json'))
    await queue.add(entry('a'))
    await queue.add(entry('b'))
    const [removed, moved, edited] = await Promise.all([
      queue.remove('a'),
      queue.move('a', 0),
      queue.edit('a', { text: 'too late' })
    ])
    expect([removed.ok, moved.ok, edited.ok]).toEqual([true, false, false])
    expect(idsOf(queue)).toEqual(['b'])
  })

  it('T-2 keeps a change of text that is under way when the entry is moved', async () => {
    const { queue } = await openQueue(tempWorkspace().path('queue.json'))
    await queue.add(entry('a'))
    await queue.add(entry('b'))
    await Promise.all([queue.edit('a', { text: 'typed with care' }), queue.move('a', 1)])
    expect(queue.entries.map(({ id, text }) => [id, text])).toEqual([
      ['b', 'text of b'],
      ['a', 'typed with care']
    ])
  })

  it('T-2 takes fifty entries and no more, held ones aside, however many come at once', async () => {
    const path = tempWorkspace().path('queue.json')
    const { queue } = await openQueue(path)
    for (let index = 0; index < 3; index++) await queue.add(entry(`held-${index}`, { held: true }))
    const added = await Promise.all(
      Array.from({ length: MAX_QUEUE_ENTRIES + 10 }, (_, at) => queue.add(entry(`e${at}`)))
    )
    expect(added.filter(({ ok }) => ok)).toHaveLength(MAX_QUEUE_ENTRIES)
    expect(added.at(-1)).toEqual({
      ok: false,
      error: 'The queue holds 50 messages; wait until some are sent, or remove one.'
    })
    expect(idsIn(path)).toHaveLength(MAX_QUEUE_ENTRIES + 3)
    await queue.remove('e0')
    expect((await queue.add(entry('one more'))).ok).toBe(true)
  })

  it('T-2 keeps the entries of another process that appends to the same file', async () => {
    const path = tempWorkspace().path('queue.json')
    const ours = (await openQueue(path)).queue
    const theirs = (await openQueue(path)).queue
    await ours.add(entry('ours-1'))
    await theirs.add(entry('theirs-1'))
    await ours.add(entry('ours-2'))
    await theirs.add(entry('theirs-2'))
    await ours.remove('ours-1')
    await theirs.remove('theirs-1')
    expect(idsIn(path).toSorted()).toEqual(['ours-2', 'theirs-2'])
    expect(idsOf(ours)).toEqual(['ours-2'])
    expect(idsOf(theirs)).toEqual(['theirs-2'])
    expect(idsOf((await openQueue(path)).queue).toSorted()).toEqual(['ours-2', 'theirs-2'])
  })

  it('T-2 loses no entry where two processes write at the same moment', async () => {
    const path = tempWorkspace().path('queue.json')
    const queues = [(await openQueue(path)).queue, (await openQueue(path)).queue]
    const ids = Array.from({ length: 20 }, (_, index) => `e${index}`)
    await Promise.all(
      queues.flatMap((queue, at) => ids.filter((_, index) => index % 2 === at).map((id) => queue.add(entry(id))))
    )
    await Promise.all(queues.map((queue) => queue.settled()))
    expect(new Set(idsIn(path))).toEqual(new Set(ids))
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  it('00 keeps fields and entries of a newer version on rewrite', async () => {
    const path = tempWorkspace().path('queue.json')
    const newer = { ...entry('typed'), priority: 3 }
    const odd = { id: 'odd', text: 'typed in a newer version', mode: 'when-idle' }
    writeFileSync(path, JSON.stringify({ format: 2, entries: [odd, newer] }))
    const { queue, damage } = await openQueue(path)
    expect(damage).toBeNull()
    await queue.add(entry('new'))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      format: 2,
      entries: [{ ...newer, held: true }, entry('new'), odd]
    })
  })
})

describe('a damaged queue file', () => {
  it('T-2 opens after a cut at any byte, and what it held stays on disk byte for byte', async () => {
    const whole = Buffer.from(`${JSON.stringify({ entries: [entry('a', { text: 'tide 🌊 mark' }), entry('b')] })}\n`)
    for (let length = 0; length <= whole.length; length++) {
      const workspace = tempWorkspace()
      const path = workspace.path('queue.json')
      const bytes = whole.subarray(0, length)
      writeFileSync(path, bytes)
      const { queue, damage } = await openQueue(path)
      if (damage === null) {
        expect(idsOf(queue)).toEqual(['a', 'b'])
        continue
      }
      expect((await queue.add(entry('new'))).ok).toBe(true)
      expect(idsIn(path)).toEqual(['new'])
      const copy = readdirSync(workspace.dir).find((name) => name.startsWith('queue.json.damaged-')) ?? ''
      expect(damage).toContain(copy)
      expect(readFileSync(join(workspace.dir, copy)).equals(bytes)).toBe(true)
      rmSync(workspace.dir, { recursive: true })
    }
  })

  it('keeps copies of two different damages apart', async () => {
    const workspace = tempWorkspace()
    const path = workspace.path('queue.json')
    for (const text of ['{"entries":', '[]', '{"entries":']) {
      writeFileSync(path, text)
      await openQueue(path)
    }
    const copies = readdirSync(workspace.dir).filter((name) => name.includes('.damaged-'))
    expect(copies.map((name) => readFileSync(join(workspace.dir, name), 'utf8')).toSorted()).toEqual([
      '[]',
      '{"entries":'
    ])
  })

  it('T-2 says in words that it cannot save, changes nothing then, and saves again once it can', async () => {
    const path = join(tempWorkspace().dir, 'folder', 'queue.json')
    const heard: unknown[] = []
    const { queue } = await openQueue(path, { onChange: (entries) => heard.push(entries) })
    const failed = await queue.add(entry('a'))
    expect(failed.ok ? '' : failed.error).toContain('Could not write queue.json')
    expect([idsOf(queue), heard]).toEqual([[], []])
    mkdirSync(path, { recursive: true })
    const blocked = await queue.add(entry('a'))
    expect(blocked.ok ? '' : blocked.error).toContain('Could not save the queue')
    rmSync(path, { recursive: true })
    mkdirSync(dirname(path), { recursive: true })
    expect((await queue.add(entry('a'))).ok).toBe(true)
    await queue.settled()
    expect(idsIn(path)).toEqual(['a'])
  })
})

describe('any changes', () => {
  it('T-2 leave memory, file and a queue that is opened again in agreement', async () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd')
    const change = fc.oneof(
      fc.tuple(ids, fc.boolean()).map(([id, held]) => ({ do: 'add' as const, id, held })),
      ids.map((id) => ({ do: 'remove' as const, id })),
      fc.tuple(ids, fc.nat({ max: 4 })).map(([id, to]) => ({ do: 'move' as const, id, to })),
      fc.tuple(ids, fc.constantFrom('x', 'y')).map(([id, text]) => ({ do: 'edit' as const, id, text }))
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const workspace = tempWorkspace()
        const path = workspace.path('queue.json')
        const { queue } = await openQueue(path)
        let expected: QueueEntry[] = []
        const results = changes.map((each) => {
          if (each.do === 'add') {
            // An id is given once: a second entry of one id would be a bug of the caller.
            if (expected.some(({ id }) => id === each.id)) return queue.settled()
            expected = [...expected, entry(each.id, { held: each.held })]
            return queue.add(entry(each.id, { held: each.held }))
          }
          const found = expected.find(({ id }) => id === each.id)
          const others = expected.filter(({ id }) => id !== each.id)
          if (each.do === 'remove') {
            expected = others
            return queue.remove(each.id)
          }
          if (each.do === 'move') {
            if (found !== undefined) expected = [...others.slice(0, each.to), found, ...others.slice(each.to)]
            return queue.move(each.id, each.to)
          }
          expected = expected.map((other) => (other === found ? { ...other, text: each.text } : other))
          return queue.edit(each.id, { text: each.text })
        })
        await Promise.all(results)
        await queue.settled()
        expect(queue.entries).toEqual(expected)
        if (existsSync(path))
          expect((await openQueue(path)).queue.entries).toEqual(expected.map((each) => ({ ...each, held: true })))
        rmSync(workspace.dir, { recursive: true })
      }),
      { seed: 5201, numRuns: inForm({ quick: 20, full: 60, long: 60 }) }
    )
  })
})
