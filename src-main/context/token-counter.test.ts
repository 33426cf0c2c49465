import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ok } from '@common/result'
import { buildTokenWorker } from './testing/build-token-worker'
import type { BuiltWorker } from './testing/build-token-worker'
import { createTokenCounter } from './token-counter'
import type { TokenCounter, TokenCounterOptions } from './token-counter'

const open: TokenCounter[] = []
const folder = mkdtempSync(join(tmpdir(), 'tidemark-token-counter-'))

function counterOf(options: TokenCounterOptions): TokenCounter {
  const counter = createTokenCounter(options)
  open.push(counter)
  return counter
}

/** A real worker thread that counts characters and does what the text tells it to. */
function scriptedWorker(name: string, body: string): string {
  const file = join(folder, `${name}.cjs`)
  writeFileSync(
    file,
    `const fs = require('node:fs'); const { parentPort } = require('node:worker_threads')
const reply = (id, counts) => parentPort.postMessage({ id, counts })
fs.appendFileSync(${JSON.stringify(`${file}.starts`)}, 'x')
parentPort.on('message', ({ id, texts }) => { ${body}; reply(id, { ok: true, value: texts.map((t) => t.length) }) })`
  )
  return file
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((counter) => counter.close()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the counter in process', () => {
  it('P-3 counts with tiktoken and stands in for unknown encodings', async () => {
    const counter = counterOf({ workerFile: null })
    expect(await counter.countText('hello world', 'o200k_base')).toEqual(ok(2))
    expect(await counter.countMany(['', 'hello world', 'hello'], 'claude')).toEqual(ok([0, 2, 1]))
  })

  it('F-7 asks for each text once for an encoding', async () => {
    const asked: string[] = []
    const counter = counterOf({
      workerFile: null,
      countInProcess: async (texts, encoding) => {
        asked.push(...texts.map((text) => `${encoding}:${text}`))
        return ok(texts.map((text) => text.length))
      }
    })
    expect(await counter.countMany(['one', 'three', 'one'], 'o200k_base')).toEqual(ok([3, 5, 3]))
    expect(await counter.countMany(['three', 'one', 'seven'], 'unknown')).toEqual(ok([5, 3, 5]))
    expect(await counter.countText('one', 'cl100k_base')).toEqual(ok(3))
    expect(asked).toEqual(['o200k_base:one', 'o200k_base:three', 'o200k_base:seven', 'cl100k_base:one'])
  })

  it('forgets the least recently used texts beyond its limit', async () => {
    const asked: string[] = []
    const counter = counterOf({
      workerFile: null,
      cacheMaxChars: 8,
      countInProcess: async (texts) => {
        asked.push(...texts)
        return ok(texts.map((text) => text.length))
      }
    })
    for (const text of ['aaaa', 'bbbb', 'aaaa', 'cccc', 'aaaa', 'bbbb', 'longer than all of it'])
      await counter.countText(text, 'o200k_base')
    expect(asked).toEqual(['aaaa', 'bbbb', 'cccc', 'bbbb', 'longer than all of it'])
  })
})

describe('the counter with a worker', () => {
  let built: BuiltWorker
  beforeAll(async () => {
    built = await buildTokenWorker()
  }, 60_000)
  afterAll(() => built.remove())

  it('F-9 counts in a real worker thread, many at once, each answered to its asker', async () => {
    const counter = counterOf({ workerFile: built.file, countInProcess: neverInProcess })
    const answers = await Promise.all([
      counter.countText('hello world', 'o200k_base'),
      counter.countMany(['hello', 'hello world again'], 'cl100k_base'),
      counter.countText('a'.repeat(100_000), 'o200k_base')
    ])
    expect(answers.slice(0, 2)).toEqual([ok(2), ok([1, 3])])
    expect(answers[2]?.ok).toBe(true)
  }, 30_000)

  it('F-9 leaves the main thread free while it counts the worst text', async () => {
    const counter = counterOf({ workerFile: built.file, countInProcess: neverInProcess })
    let turns = 0
    const everyTurn = setInterval(() => turns++)
    const count = await counter.countText('的'.repeat(150_000), 'o200k_base')
    clearInterval(everyTurn)
    expect(count.ok).toBe(true)
    expect(turns).toBeGreaterThan(10)
  }, 30_000)

  it('starts a worker only when there is something to count', async () => {
    const file = scriptedWorker('lazy', '')
    const counter = counterOf({ workerFile: file })
    expect(startsOf(file)).toBe(0)
    await counter.countText('abc', 'o200k_base')
    await counter.countText('abcd', 'o200k_base')
    expect(startsOf(file)).toBe(1)
  })

  it('keeps the process alive while it counts and not afterwards', async () => {
    const counter = counterOf({ workerFile: scriptedWorker('idle', '') })
    const ports = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = ports()
    for (const text of ['abc', 'abcd']) {
      const count = counter.countText(text, 'o200k_base')
      expect(ports()).toBe(before + 1)
      await count
      expect(ports()).toBe(before)
    }
  })

  it('P-3 recovers from a crash: the order is given again to a new worker, later orders are not blamed', async () => {
    const file = scriptedWorker(
      'crash-once',
      `if (texts[0] === 'crash' && fs.readFileSync(__filename + '.starts', 'utf8').length === 1) process.exit(1)`
    )
    const counter = counterOf({ workerFile: file })
    const answers = await Promise.all(['crash', 'later'].map((text) => counter.countText(text, 'o200k_base')))
    expect(answers).toEqual([ok(5), ok(5)])
    expect(startsOf(file)).toBe(2)
  })

  it('P-3 refuses what crashes the worker twice, and counts everything else', async () => {
    const file = scriptedWorker('crash-always', `if (texts[0] === 'crash') throw new Error('boom')`)
    const counter = counterOf({ workerFile: file })
    const answers = await Promise.all(
      ['before', 'crash', 'after!'].map((text) => counter.countText(text, 'o200k_base'))
    )
    expect(answers).toEqual([
      ok(6),
      { ok: false, error: { kind: 'encoder_failed', message: "The token counter's worker stopped twice: boom." } },
      ok(6)
    ])
  })

  it('P-3 passes on that the encoder threw, and goes on with a fresh worker', async () => {
    const failure = `{ ok: false, error: { kind: 'encoder_failed', message: 'no' } }`
    const file = scriptedWorker('throws', `if (texts[0] === 'bad') return reply(id, ${failure})`)
    const counter = counterOf({ workerFile: file })
    const answers = await Promise.all(['bad', 'good'].map((text) => counter.countText(text, 'o200k_base')))
    expect(answers).toEqual([{ ok: false, error: { kind: 'encoder_failed', message: 'no' } }, ok(4)])
    expect(startsOf(file)).toBe(2)
  })

  it('says that a worker file is missing instead of counting on the main thread', async () => {
    const counter = counterOf({ workerFile: join(folder, 'missing.cjs'), countInProcess: neverInProcess })
    const count = await counter.countText('abc', 'o200k_base')
    expect(count.ok).toBe(false)
  })

  it('fails what is pending when it is closed, and everything after', async () => {
    const counter = counterOf({ workerFile: scriptedWorker('silent', 'return') })
    const pending = counter.countText('abc', 'o200k_base')
    await counter.close()
    expect((await pending).ok).toBe(false)
    expect((await counter.countText('abc', 'o200k_base')).ok).toBe(false)
  })
})

function startsOf(file: string): number {
  try {
    return readFileSync(`${file}.starts`, 'utf8').length
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

async function neverInProcess(): Promise<never> {
  throw new Error('counted on the main thread')
}
