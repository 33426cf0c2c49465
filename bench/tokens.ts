// `npm run bench -- tokens [--quick]`: what counting texts costs (F-8, F-9), by the built worker. What a recount costs is
// measured on the way that requests take, in prepare.ts. Writes bench/results/tokens.json.
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import { get_encoding } from 'tiktoken'
import { countRequest, requestBytesUpperBound } from '../src-main/context/count-request'
import { buildTokenWorker } from '../src-main/context/testing/build-token-worker'
import { createTokenCounter } from '../src-main/context/token-counter'
import type { TokenCounter } from '../src-main/context/token-counter'
import { measureInterleaved, medianOf } from './support/measure'
import { atMost, type Figure, report, told } from './support/report'
import { codeCorpus, mixedCorpus } from './support/token-corpus'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 7 : 25
const ENCODING = 'o200k_base'
const REQUEST_TOKENS = 200_000
const MIB = 1024 * 1024

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

async function tokensOf(prompt: LanguageModelV3Prompt, counter: TokenCounter): Promise<number> {
  const counted = await countRequest({ prompt, tools: [] }, { encoding: ENCODING, counter })
  if (!counted.ok) throw new Error(counted.error.message)
  return counted.value.tokens
}

/** F-8: a request of 200k tokens, counted in full and bounded by its bytes. */
async function benchRequest(workerFile: string, source: string): Promise<Figure[]> {
  const prompt = conversation(source, REQUEST_TOKENS)
  const texts = prompt.flatMap((message) =>
    typeof message.content === 'string' ? [message.content] : message.content.map((part) => JSON.stringify(part))
  )
  const encoder = get_encoding(ENCODING)
  const forgetful = createTokenCounter({ workerFile, cacheMaxChars: 0 })
  const total = await tokensOf(structuredClone(prompt), forgetful)
  let counter = forgetful
  let copy = prompt
  const copied = (): void => {
    copy = structuredClone(prompt)
  }
  const times = await measureInterleaved(
    [
      { name: 'tiktoken', run: () => texts.forEach((text) => encoder.encode(text, [], [])) },
      {
        name: 'first',
        // A worker that has loaded its tokenizer and seen no text: the first count of a session.
        async before() {
          copied()
          counter = createTokenCounter({ workerFile })
          await counter.countText('ready', ENCODING)
        },
        run: () => tokensOf(copy, counter),
        after: () => counter.close()
      },
      { name: 'again', before: copied, run: () => tokensOf(copy, forgetful) },
      { name: 'bound', before: copied, run: () => requestBytesUpperBound(copy, []) }
    ],
    ROUNDS
  )
  encoder.free()
  await forgetful.close()
  const tiktoken = medianOf(times, 'tiktoken')
  const against = (name: string): { value: number; details: Record<string, number> } => ({
    value: medianOf(times, name) / tiktoken,
    details: { ms: medianOf(times, name), 'tiktoken ms': tiktoken }
  })
  const what = `${total} tokens in ${prompt.length} messages, against tiktoken`
  return [
    atMost(1, { id: 'F-8', what: `first full count of ${what}`, ...against('first') }),
    atMost(1, { id: 'F-8', what: 'the same once more, words known', ...against('again') }),
    told({ id: 'F-8', what: 'bound by bytes, nothing remembered', ...against('bound') })
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
  const code = source.slice(0, MIB)
  await counter.countText(code, ENCODING)
  const figures: Figure[] = []
  for (const [name, text] of Object.entries(texts)) {
    const small = text.slice(0, text.length / 16)
    const times = await measureInterleaved(
      [
        { name: 'text', run: () => counter.countText(text, ENCODING) },
        { name: 'code', run: () => counter.countText(code, ENCODING) },
        { name: 'small', run: () => counter.countText(small, ENCODING) }
      ],
      Math.ceil(ROUNDS / 2)
    )
    const ms = medianOf(times, 'text')
    const [codeMs, smallMs] = [medianOf(times, 'code'), medianOf(times, 'small')]
    const what = `1 MB of ${name}`
    figures.push(
      atMost(25, {
        id: 'F-9',
        what: `${what}, against 1 MB of code`,
        value: ms / codeMs,
        details: { ms, 'code ms': codeMs }
      }),
      atMost(64, {
        id: 'F-9',
        what: `${what}, against 64 KB of it`,
        value: ms / smallMs,
        details: { ms, '64 KB ms': smallMs }
      })
    )
  }
  await counter.close()
  return figures
}

async function main(): Promise<void> {
  const worker = await buildTokenWorker()
  try {
    const request = await benchRequest(worker.file, mixedCorpus())
    report('tokens', isQuick, [...request, ...(await benchPathological(worker.file, codeCorpus()))])
  } finally {
    worker.remove()
  }
}

void main()
