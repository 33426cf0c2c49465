import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { LanguageModelV3CallOptions, LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { DEMO_CONTEXT_LIMIT, DEMO_MAX_OUTPUT_TOKENS } from '@common/constants'
import { describe, expect, it } from 'vitest'
import { saysTooLong } from '../context-exceeded'
import { createDemoModel } from './demo-model'
import { estimateTokens } from './estimate-tokens'
import { demoTurn, greeterProject } from './testing/greeter-project'

const user = (text: string): LanguageModelV3Prompt => [{ role: 'user', content: [{ type: 'text', text }] }]

async function partsOf(call: LanguageModelV3CallOptions, model = createDemoModel({ paceMs: 0 })) {
  const { stream } = await model.doStream(call)
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('the demo on a real project (L-2)', () => {
  it('describes it from its files, with real names and numbers', async () => {
    const turn = await demoTurn(greeterProject(), 'What is this project?')
    expect(turn.called).toEqual(['glob', 'file_read', 'file_read', 'file_read'])
    for (const fact of [
      '**greeter** — Greets people in several languages.',
      '6 files',
      '`test`',
      '`start`',
      '`README.md` (7 lines)',
      '`src/index.js`'
    ]) {
      expect(turn.text).toContain(fact)
    }
  })

  it('gives a different, correct answer for another project', async () => {
    const turn = await demoTurn(path.join(greeterProject(), 'docs'), 'What is this project?')
    expect(turn.text).toContain('1 file at the top: 1 Markdown')
    expect(turn.text).not.toContain('greeter')
  })

  it('runs the project’s own tests and quotes exit code and outcome', async () => {
    const turn = await demoTurn(greeterProject(), 'run the tests')
    expect(turn.calls.at(-1)).toBe('bash {"command":"npm test"}')
    expect(turn.text).toContain('exit code **3**, so it failed: 2 passed, 1 failed')
  })

  it('finds a definition with its line and its code', async () => {
    const turn = await demoTurn(greeterProject(), 'where is greet defined?')
    expect(turn.text).toContain('defined in `src/greet.js:5`')
    expect(turn.text).toContain('export function greet(name, language) {')
  })

  it('finds a file that was named without its folder', async () => {
    const turn = await demoTurn(greeterProject(), 'read greet.js')
    expect(turn.called).toEqual(['file_read', 'glob', 'file_read'])
    expect(turn.text).toContain('`src/greet.js` (JavaScript, 7 lines), in full')
  })

  it('creates, changes, extends and deletes real files', async () => {
    const root = greeterProject()
    const read = (name: string): string => readFileSync(path.join(root, name), 'utf8')
    await demoTurn(root, 'Create hello.py that prints "hi there"')
    expect(read('hello.py')).toBe('print("hi there")\n')
    await demoTurn(root, 'replace "Hello" with "Hi" in src/greet.js')
    expect(read('src/greet.js')).toContain("en: 'Hi'")
    await demoTurn(root, 'change the version to 2.0.0 in package.json')
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '2.0.0', name: 'greeter' })
    await demoTurn(root, 'rename GREETINGS to WORDS')
    expect(read('src/greet.js').match(/WORDS/g)).toHaveLength(3)
    await demoTurn(root, 'add the line "See docs." to README.md')
    expect(read('README.md')).toMatch(/greetings\.\nSee docs\.\n$/)
    await demoTurn(root, 'delete hello.py')
    expect(existsSync(path.join(root, 'hello.py'))).toBe(false)
  })

  it('asks before it replaces a file that is there, and leaves it when nobody answers', async () => {
    const root = greeterProject()
    const alone = await demoTurn(root, 'create README.md with "gone"')
    expect(alone.called).toEqual(['glob', 'ask_user'])
    expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toContain('# greeter')
    await demoTurn(root, 'create README.md with "gone"', { answer: 'Replace it' })
    expect(readFileSync(path.join(root, 'README.md'), 'utf8')).toBe('gone\n')
  })

  it('does several things asked for at once, in order', async () => {
    const turn = await demoTurn(
      greeterProject(),
      'Read src/index.js, then run `node src/index.js Bob` and finally list the markdown files'
    )
    expect(turn.called).toEqual(['file_read', 'bash', 'glob'])
    expect(turn.text).toContain('Hello, Bob')
    expect(turn.text).toContain('docs/notes.md')
  })

  it('keeps lists, asks, and remembers through the tools', async () => {
    const root = greeterProject()
    expect((await demoTurn(root, 'make a todo list: one, two, three')).calls[0]).toContain(
      '"content":"one","status":"in_progress"'
    )
    expect((await demoTurn(root, 'ask me which one: tea or coffee', { answer: 'tea' })).text).toContain(
      'You answered: “tea”'
    )
    const turn = await demoTurn(root, 'remember that we deploy on Fridays')
    expect([...turn.memories]).toEqual([['/memories/project/we-deploy-on-fridays.md', 'we deploy on Fridays\n']])
  })

  it('says honestly what it is and what it did not understand', async () => {
    expect((await demoTurn(greeterProject(), 'who are you?')).text).toMatch(
      /demo.*without a network.*without a language model/
    )
    const turn = await demoTurn(greeterProject(), 'Translate the greetings into Danish')
    expect(turn.text).toContain('only a small demo and did not understand')
    expect(turn.text).toContain('src/greet.js')
  })

  it('tells a denied call, and goes on with the rest', async () => {
    const deny = { bash: 'The person denied this call: not now' }
    const turn = await demoTurn(greeterProject(), 'run `ls` and then read README.md', { deny })
    expect(turn.text).toContain('bash was denied: The person denied this call: not now')
    expect(turn.text).toContain('# greeter')
  })

  it('says which tool is missing instead of calling it', async () => {
    const turn = await demoTurn(greeterProject(), 'run `ls`', { only: ['file_read'] })
    expect(turn.called).toEqual([])
    expect(turn.text).toContain('the bash tool is not offered to me here')
  })
})

describe('the demo as a model (L-2)', () => {
  it('is deterministic but for the ids of its calls', async () => {
    const call = {
      prompt: user('read README.md'),
      tools: [{ type: 'function' as const, name: 'file_read', inputSchema: {} }]
    }
    const model = createDemoModel({ paceMs: 0, newId: () => 'n' })
    expect(await partsOf(call, model)).toEqual(await partsOf(call, model))
    const ids = (await Promise.all([partsOf(call), partsOf(call)])).map((parts) =>
      parts.find((part) => part.type === 'tool-call')
    )
    expect(ids[0]).not.toEqual(ids[1])
  })

  it('streams the parts in the order of the contract, and doGenerate gives the same answer', async () => {
    const call: LanguageModelV3CallOptions = {
      prompt: user('read README.md'),
      tools: [{ type: 'function', name: 'file_read', inputSchema: {} }],
      providerOptions: { demo: { thinking: 'low' } }
    }
    const model = createDemoModel({ paceMs: 0, newId: () => 'n' })
    const types = (await partsOf(call, model)).map((part) => part.type).filter((type) => !type.endsWith('delta'))
    expect(types).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-end',
      'tool-input-start',
      'tool-input-end',
      'tool-call',
      'finish'
    ])
    const generated = await model.doGenerate(call)
    expect(generated.content.map((part) => part.type)).toEqual(['reasoning', 'tool-call'])
    expect(generated.finishReason.unified).toBe('tool-calls')
  })

  it('thinks aloud only when thinking is on', async () => {
    const root = greeterProject()
    expect((await demoTurn(root, 'find TODO')).reasoning.trim()).toBe('')
    expect((await demoTurn(root, 'find TODO', { thinking: 'low' })).reasoning).toContain('word for word')
  })

  it('counts honestly: uncached input that grows with the conversation, no cache', async () => {
    const finish = async (text: string) => {
      const part = (await partsOf({ prompt: user(text) })).at(-1)
      if (part?.type !== 'finish') throw new Error('no finish')
      return part.usage
    }
    const [short, long] = [await finish('hello'), await finish(`hello ${'word '.repeat(500)}`)]
    expect(short.inputTokens).toMatchObject({ noCache: short.inputTokens.total, cacheRead: 0, cacheWrite: 0 })
    expect((long.inputTokens.total ?? 0) - (short.inputTokens.total ?? 0)).toBeGreaterThan(450)
    expect(short.outputTokens.total).toBe(short.outputTokens.text)
  })

  it('stops at maxOutputTokens with `length`, never in the middle of a call', async () => {
    for (const maxOutputTokens of [1, 20, 60]) {
      const parts = await partsOf({ prompt: user('what can you do?'), maxOutputTokens })
      const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxOutputTokens)
      expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'length' } })
    }
    const cut = await partsOf({
      prompt: user('run `ls`'),
      maxOutputTokens: 2,
      tools: [{ type: 'function', name: 'bash', inputSchema: {} }]
    })
    expect(cut.filter((part) => part.type.startsWith('tool'))).toEqual([])
    const long = await partsOf({ prompt: user('count to 9999') })
    expect(long.at(-1)).toMatchObject({ type: 'finish', usage: { outputTokens: { total: expect.any(Number) } } })
    expect(DEMO_MAX_OUTPUT_TOKENS).toBe(2_000)
  })

  it('refuses a prompt over its limit as a hosted provider does', async () => {
    const failed = createDemoModel({ paceMs: 0 }).doStream({ prompt: user('word '.repeat(DEMO_CONTEXT_LIMIT + 1_000)) })
    await expect(failed).rejects.toMatchObject({ name: 'AI_APICallError', statusCode: 400, isRetryable: false })
    const error = await failed.then(
      () => '',
      (cause: unknown) => (cause as Error).message
    )
    expect(error).toMatch(/^prompt is too long: \d+ tokens > 24000 maximum$/)
    expect(saysTooLong(error)).toBe(true)
  })

  it('stops at once when it is aborted in the middle of a stream', async () => {
    const abort = new AbortController()
    const waits: number[] = []
    const sleep = async (delayMs: number): Promise<void> => {
      waits.push(delayMs)
      if (waits.length === 5) abort.abort(new DOMException('stopped', 'AbortError'))
    }
    const { stream } = await createDemoModel({ sleep, paceMs: 8 }).doStream({
      prompt: user('what can you do?'),
      abortSignal: abort.signal
    })
    const seen: string[] = []
    await expect(async () => {
      for await (const part of stream) seen.push(part.type)
    }).rejects.toThrow('stopped')
    expect(waits).toEqual([8, 8, 8, 8, 8])
    expect(seen.filter((type) => type === 'text-delta')).toHaveLength(4)
    await expect(createDemoModel().doStream({ prompt: user('hello'), abortSignal: abort.signal })).rejects.toThrow(
      'stopped'
    )
  })
})
