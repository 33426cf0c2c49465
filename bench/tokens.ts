// `npm run bench -- tokens [--quick]`: what counting a request costs (F-7, F-8, F-9).
// Every ratio is against a baseline measured in the same rounds, in turn; the worker is the built one.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { get_encoding } from 'tiktoken'
import { countRequest, requestBytesUpperBound } from '../src-main/context/count-request'
import { buildTokenWorker } from '../src-main/context/testing/build-token-worker'
import { createTokenCounter } from '../src-main/context/token-counter'
import type { TokenCounter } from '../src-main/context/token-counter'

/** scripts/bench.mjs runs benchmarks from the root of the repository. */
const ROOT = process.cwd()
const QUICK = process.argv.includes('--quick')
const ROUNDS = QUICK ? 7 : 25
const ENCODING = 'o200k_base'
const REQUEST_TOKENS = 200_000
const MIB = 1024 * 1024

interface Figure {
  readonly id: string
  readonly name: string
  readonly medianMs: number
  readonly baseline: string
  readonly baselineMs: number
  readonly ratio: number
  /** Null for a figure that is only told. */
  readonly bar: number | null
}

/** Real prose and code of installed packages, the same on every machine with this lock file. */
function corpus(folder: string, ending: RegExp): string {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => ending.test(name)).toSorted()
  return files.map((name) => readFileSync(join(ROOT, folder, name), 'utf8')).join('\n')
}

/** A conversation of about `tokens` tokens: questions, calls and results of 2.2 KB, the median row. */
function conversation(source: string, tokens: number): LanguageModelV3Prompt {
  const encoder = get_encoding(ENCODING)
  const prompt: LanguageModelV3Message[] = [{ role: 'system', content: source.slice(0, 12_000) }]
  let total = 0
  for (let at = 12_000, index = 0; total < tokens; at += 2_200, index++) {
    const text = source.slice(at, at + 2_200)
    if (text === '') throw new Error('The corpus is too short.')
    const call = { toolCallId: `call_${index}`, toolName: 'file_read' }
    if (index % 3 === 0) prompt.push({ role: 'user', content: [{ type: 'text', text }] })
    else if (index % 3 === 1) {
      prompt.push({
        role: 'assistant',
        content: [{ type: 'tool-call', ...call, input: { path: `src/${index}.ts`, text } }]
      })
    } else
      prompt.push({
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { text } } }]
      })
    total += encoder.encode(text, [], []).length
  }
  encoder.free()
  return prompt
}

async function timed(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** Medians of actions run in turn, so that a busy moment of the machine falls on all of them. */
async function interleaved<Name extends string>(
  rounds: number,
  actions: Record<Name, () => Promise<number>>
): Promise<Record<Name, number>> {
  const names = Object.keys(actions) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++) for (const name of names) times[name].push(await actions[name]())
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

async function tokensOf(prompt: LanguageModelV3Prompt, counter: TokenCounter): Promise<number> {
  const counted = await countRequest({ prompt, tools: [] }, { encoding: ENCODING, counter })
  if (!counted.ok) throw new Error(counted.error.message)
  return counted.value.tokens
}

/** F-7 and F-8: a request of 200k tokens, counted in full, again, and by bytes alone. */
async function benchRequest(workerFile: string, source: string): Promise<Figure[]> {
  const prompt = conversation(source, REQUEST_TOKENS)
  const texts = prompt.flatMap((message) =>
    typeof message.content === 'string' ? [message.content] : message.content.map((part) => JSON.stringify(part))
  )
  const encoder = get_encoding(ENCODING)
  const warm = createTokenCounter({ workerFile })
  const forgetful = createTokenCounter({ workerFile, cacheMaxChars: 0 })
  const total = await tokensOf(prompt, warm)
  await tokensOf(structuredClone(prompt), forgetful)
  let grown = 0
  const grow = (base: LanguageModelV3Prompt): LanguageModelV3Prompt => [
    ...base,
    { role: 'user', content: [{ type: 'text', text: `${++grown} ${source.slice(5_000 + grown, 7_200 + grown)}` }] }
  ]
  const rebuilt = (): LanguageModelV3Prompt =>
    prompt.map((message) =>
      typeof message.content === 'string'
        ? { ...message }
        : ({ ...message, content: message.content.map((part) => ({ ...part })) } as typeof message)
    )
  const times = await interleaved(ROUNDS, {
    tiktoken: () => timed(() => texts.forEach((text) => encoder.encode(text, [], []))),
    first: async () => {
      // A worker that has loaded its tokenizer and seen no text: the first count of a session.
      const counter = createTokenCounter({ workerFile })
      await counter.countText('ready', ENCODING)
      const copy = structuredClone(prompt)
      const ms = await timed(() => tokensOf(copy, counter))
      await counter.close()
      return ms
    },
    full: () => timed(() => tokensOf(structuredClone(prompt), forgetful)),
    recount: () => timed(() => tokensOf(grow(prompt), warm)),
    recountRebuilt: () => timed(() => tokensOf(grow(rebuilt()), warm)),
    bound: () => timed(() => requestBytesUpperBound(structuredClone(prompt), [])),
    clone: () => timed(() => structuredClone(prompt))
  })
  encoder.free()
  await Promise.all([warm.close(), forgetful.close()])
  const bound = Math.max(0, times.bound - times.clone)
  const full = times.full - times.clone
  console.log(`request: ${total} tokens in ${prompt.length} messages; bound ${requestBytesUpperBound(prompt, [])}`)
  return [
    figure('F-7', 'recount after one new row', times.recount, 'a count with nothing remembered', times.first, 0.01),
    figure(
      'F-7',
      'the same, messages rebuilt',
      times.recountRebuilt,
      'a count with nothing remembered',
      times.first,
      0.01
    ),
    figure('F-7', 'recount after one new row', times.recount, 'a count that knows the words', full, null),
    figure('F-8', 'first full count, in the worker', times.first, 'tiktoken', times.tiktoken, 1),
    figure('F-8', 'full count again, words known', full, 'tiktoken', times.tiktoken, 1),
    figure('F-8', 'bound by bytes, nothing remembered', bound, 'tiktoken', times.tiktoken, null)
  ]
}

/** F-9: texts that splitters cannot break, against code of the same size. */
async function benchPathological(workerFile: string, source: string): Promise<Figure[]> {
  let seed = 42
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((seed / 0x80000000) * below)
  }
  const letters = (count: number, from: number, kinds: number): string =>
    Array.from({ length: count }, () => String.fromCharCode(from + random(kinds))).join('')
  const texts: Record<string, string> = {
    'one letter': 'a'.repeat(MIB),
    'random letters': letters(MIB, 97, 26),
    spaces: ' '.repeat(MIB),
    'CJK without breaks': letters(Math.floor(MIB / 3), 0x4e00, 3_000),
    base64: Buffer.from(Array.from({ length: (MIB * 3) / 4 }, () => random(256))).toString('base64')
  }
  const counter = createTokenCounter({ workerFile, cacheMaxChars: 0 })
  const count = (text: string) => () => timed(() => counter.countText(text, ENCODING))
  const code = source.slice(0, MIB)
  await counter.countText(code, ENCODING)
  const figures: Figure[] = []
  for (const [name, text] of Object.entries(texts)) {
    const small = text.slice(0, text.length / 16)
    const times = await interleaved(Math.ceil(ROUNDS / 2), {
      text: count(text),
      code: count(code),
      small: count(small)
    })
    figures.push(figure('F-9', `1 MB of ${name}`, times.text, '1 MB of code', times.code, 25))
    figures.push(figure('F-9', `1 MB of ${name}`, times.text, '64 KB of it', times.small, 64))
  }
  await counter.close()
  return figures
}

function figure(
  id: string,
  name: string,
  ms: number,
  baseline: string,
  baselineMs: number,
  bar: number | null
): Figure {
  return { id, name, medianMs: ms, baseline, baselineMs, ratio: ms / baselineMs, bar }
}

async function main(): Promise<void> {
  const worker = await buildTokenWorker()
  try {
    const code = corpus('node_modules/zod/src', /\.ts$/)
    const prose = corpus('node_modules/ai/docs', /\.mdx$/)
    const mixed = Array.from({ length: 400 }, (_, index) => {
      const at = index * 3_000
      return code.slice(at, at + 3_000) + prose.slice(at, at + 3_000)
    }).join('')
    const figures = [...(await benchRequest(worker.file, mixed)), ...(await benchPathological(worker.file, code))]
    for (const { id, name, medianMs, baseline, baselineMs, ratio, bar } of figures) {
      const verdict = bar === null ? 'info' : ratio <= bar ? 'ok  ' : 'OVER'
      const times = `${medianMs.toFixed(2)} / ${baselineMs.toFixed(2)} ms`
      const limit = bar === null ? '' : `, bar ${bar}x`
      console.log(`${verdict} ${id} ${name}: ${ratio.toPrecision(3)}x of ${baseline} (${times})${limit}`)
    }
    mkdirSync(join(ROOT, 'bench/results'), { recursive: true })
    const result = { bench: 'tokens', quick: QUICK, node: process.version, figures }
    writeFileSync(join(ROOT, 'bench/results/tokens.json'), `${JSON.stringify(result, null, 2)}\n`)
  } finally {
    worker.remove()
  }
}

void main()
