// `npm run bench -- prepare [--quick]`: preparing a request of 200k tokens from its rows, as every step of a turn does:
// one more row counted (F-7), and the whole preparation with warm caches (F-11). Writes bench/results/prepare.json.
import { get_encoding } from 'tiktoken'
import type { Row, RowPart } from '../src-common/rows/row-schema'
import { TOOL_CONTRACTS } from '../src-common/tools/tool-contracts'
import { offeredTools } from '../src-main/context/advertised-tools'
import { countRequest } from '../src-main/context/count-request'
import { prepareRequest } from '../src-main/context/prepare-request'
import type { PreparedRequest, TurnSettings } from '../src-main/context/prepare-request'
import { buildTokenWorker } from '../src-main/context/testing/build-token-worker'
import { createTokenCounter } from '../src-main/context/token-counter'
import type { TokenCounter } from '../src-main/context/token-counter'
import { measureInterleaved, medianOf } from './support/measure'
import { atMost, type Figure, report } from './support/report'
import { mixedCorpus } from './support/token-corpus'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 200 : 1_000
const COUNT_ROUNDS = isQuick ? 25 : 80
const ENCODING = 'o200k_base'
const REQUEST_TOKENS = 200_000
const MODEL = 'anthropic:some-model'
const STEPS_A_TURN = 8
/** Of a call's result: the median row. */
const RESULT_CHARS = 2_200

/** Over which bytes alone do not settle whether the request fits, so that its tokens are counted. */
const COUNTED_LIMIT = 256_000
/** Under which they do. */
const BOUNDED_LIMIT = 2_000_000

/** Takes the corpus piece by piece, from its beginning. */
function reader(source: string): (chars: number) => string {
  let at = 0
  return (chars) => {
    const text = source.slice(at, at + chars)
    if (text.length < chars) throw new Error('The corpus is too short.')
    at += chars
    return text
  }
}

/** What one step of an agent leaves: a sentence, a call with its result, its figures. */
function stepParts(index: number, text: string): RowPart[] {
  const usage = { inputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 9, reasoningTokens: 0 }
  const call = { toolCallId: `call_${index}`, toolName: 'file_read', state: 'output-available' as const }
  return [
    { type: 'text', text: `Step ${index}: ${text.slice(0, 120)}` },
    {
      type: 'dynamic-tool',
      ...call,
      input: { path: `src/${index}.ts`, offset: index },
      output: { path: `src/${index}.ts`, content: text }
    },
    { type: 'step', requestSequence: index, model: MODEL, usage }
  ]
}

/** The rows of a session of about `tokens` tokens: a question, then an answer of several steps, and so on. */
function sessionRows(read: (chars: number) => string, tokens: number): Row[] {
  const encoder = get_encoding(ENCODING)
  const rows: Row[] = []
  let [total, steps] = [0, 0]
  while (total < tokens) {
    const asked = read(400)
    rows.push({ id: `p${steps}`, role: 'user', parts: [{ type: 'text', text: asked }], metadata: {} })
    const parts: RowPart[] = []
    for (let step = 0; step < STEPS_A_TURN && total < tokens; step++) {
      const added = stepParts(steps++, read(RESULT_CHARS))
      total += encoder.encode(JSON.stringify(added), [], []).length
      parts.push(...added)
    }
    rows.push({ id: `a${steps}`, role: 'assistant', parts, metadata: { model: MODEL } })
  }
  encoder.free()
  return rows
}

function turnOf(counter: TokenCounter, contextLimit: number, systemText: string): TurnSettings {
  const contracts = Object.entries(TOOL_CONTRACTS)
  return {
    modelRef: MODEL,
    limits: { contextLimit, maxOutputTokens: 16_000 },
    providerOptions: {},
    supportsCacheMarks: true,
    systemText,
    ...offeredTools(
      contracts.map(([name, { description, input }]) => ({ name, description, inputSchema: input })),
      [{ match: '.*', action: 'allow' }]
    ),
    loadAttachment: async () => null,
    async countTokens(prompt, tools) {
      const counted = await countRequest({ prompt, tools }, { encoding: ENCODING, counter })
      if (!counted.ok) return { kind: 'failed', message: counted.error.message }
      return { kind: 'counted', tokens: counted.value.tokens }
    }
  }
}

async function prepared(rows: readonly Row[], turn: TurnSettings): Promise<PreparedRequest> {
  const request = await prepareRequest(rows, turn)
  if (request.kind === 'rejected') throw new Error(request.message)
  return request
}

async function bench(workerFile: string): Promise<Figure[]> {
  const source = mixedCorpus()
  const systemText = source.slice(0, 12_000)
  const rows = sessionRows(reader(source.slice(12_000)), REQUEST_TOKENS)
  const counter = createTokenCounter({ workerFile })
  const [counted, bounded] = [turnOf(counter, COUNTED_LIMIT, systemText), turnOf(counter, BOUNDED_LIMIT, systemText)]
  const request = await prepared(rows, counted)
  await prepared(rows, bounded)
  if (!request.counted) throw new Error('The bytes of the request settled it: nothing was counted.')

  let added = 0
  const newText = (): string => `${++added} ${source.slice(5_000 + added, 5_000 + added + RESULT_CHARS)}`
  let more: readonly Row[] = rows
  const oneMore = (): void => {
    const parts = stepParts(100_000 + added, newText())
    more = [...rows, { id: `n${added}`, role: 'assistant', parts, metadata: { model: MODEL } }]
  }
  const live: Row = { id: 'live', role: 'assistant', parts: [], metadata: { model: MODEL } }
  const oneStep = (): void => {
    // A turn closes its row when it is full; this one begins anew before the request is.
    if (live.parts.length > 60) live.parts.splice(0)
    live.parts.push(...stepParts(200_000 + added, newText()))
  }
  let fresh = counted
  let other = counter
  const withCount = { name: 'counted', before: oneMore, run: () => prepared(more, counted) }
  const counts = await measureInterleaved(
    [
      {
        name: 'first',
        async before() {
          oneMore()
          more = structuredClone(more)
          other = createTokenCounter({ workerFile })
          await other.countText('ready', ENCODING)
          fresh = turnOf(other, COUNTED_LIMIT, systemText)
        },
        run: () => prepared(more, fresh),
        after: () => other.close()
      },
      withCount,
      { name: 'live', before: oneStep, run: () => prepared([...rows, live], counted) }
    ],
    COUNT_ROUNDS
  )
  const preparations = await measureInterleaved(
    [
      withCount,
      { name: 'bounded', before: oneMore, run: () => prepared(more, bounded) },
      { name: 'stringify', run: () => JSON.stringify(request.callOptions) }
    ],
    ROUNDS
  )
  await counter.close()

  const size = `${request.tokensAtMost} tokens in ${rows.length} rows, ${request.prompt.length} messages`
  const all = 'all prepared and counted, nothing remembered'
  const recount = (name: string) => ratioOf(counts, name, 'first', all)
  const whole = (name: string) => ratioOf(preparations, name, 'stringify', 'JSON.stringify')
  return [
    atMost(0.01, {
      id: 'F-7',
      what: `one more row of ${size}: prepared and counted, against ${all}`,
      ...recount('counted')
    }),
    atMost(0.01, { id: 'F-7', what: 'the same, a live row grows by a step', ...recount('live') }),
    atMost(3, {
      id: 'F-11',
      what: 'prepared with one more row, bytes settle that it fits, against JSON.stringify',
      ...whole('bounded')
    }),
    atMost(3, {
      id: 'F-11',
      what: 'the same near the ceiling, where the worker counts the new row',
      ...whole('counted')
    })
  ]
}

/** A variant against its baseline, from one interleaved run. */
function ratioOf(
  times: ReadonlyMap<string, readonly number[]>,
  name: string,
  baseline: string,
  baselineName: string
): Pick<Figure, 'value' | 'details'> {
  const [ms, baselineMs] = [medianOf(times, name), medianOf(times, baseline)]
  return { value: ms / baselineMs, details: { ms, [`${baselineName} ms`]: baselineMs } }
}

async function main(): Promise<void> {
  const worker = await buildTokenWorker()
  try {
    report('prepare', isQuick, await bench(worker.file))
  } finally {
    worker.remove()
  }
}

void main()
