// Owns a stand-in provider on the loopback that plays a script: Anthropic Messages, OpenAI Chat and Responses, Gemini.
// It records every request and, unless told not to, refuses with 400 what the real endpoints refuse.
// For sessions, the command line, Playwright and benchmarks alike.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidRequestAnswer } from './error-answers'
import { listenOnLoopback, readBody } from './loopback-server'
import { sendError, sendTurn } from './send-turn'
import type { EncodedCall, ScriptedTurn, ScriptedUsage, SeenRequest, TurnSource, WireProtocol } from './scripted-turn'
import { anthropicProblemOf } from './validate-anthropic'
import { googleProblemOf } from './validate-google'
import { chatProblemOf, responsesProblemOf } from './validate-openai'

export interface ScriptedServerOptions {
  /** One a request, in order; or one function that answers every request. */
  readonly turns?: readonly TurnSource[] | ((request: SeenRequest) => ScriptedTurn | Promise<ScriptedTurn>)
  /** Refuse what the real endpoints refuse (on by default). */
  readonly validate?: boolean
  /** Signatures that recordings among the turns hand out, each with the thinking that it seals. */
  readonly seals?: ReadonlyMap<string, string>
  /** Answer of `GET …/models`. */
  readonly models?: readonly string[]
}

export interface ScriptedServer {
  readonly origin: string
  /** Base address for Anthropic, OpenAI and compatible entries, as providers.json takes it. */
  readonly baseUrl: string
  readonly googleBaseUrl: string
  /** Every model request so far, refused ones included. */
  readonly requests: readonly SeenRequest[]
  /** What was refused, in words; a test may ask that it is empty. */
  readonly problems: readonly string[]
  /** Turns that no request took yet. */
  readonly turnsLeft: number
  /** Adds turns at the end of the script. */
  push(...turns: readonly TurnSource[]): void
  /** Resolves with request number `index` (from 0) once it has come in. */
  request(index: number): Promise<SeenRequest>
  close(): Promise<void>
}

const PATHS: readonly (readonly [RegExp, WireProtocol])[] = [
  [/\/messages$/, 'anthropic'],
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/:(?:streamG|g)enerateContent$/, 'google']
]

/** Bytes of a request that count as one token where the script gives no usage. */
const ESTIMATE_BYTES_PER_TOKEN = 4

export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  const problems: string[] = []
  const waiting: { index: number; resolve: (request: SeenRequest) => void }[] = []
  const script: TurnSource[] = Array.isArray(options.turns) ? [...options.turns] : []
  const always = typeof options.turns === 'function' ? options.turns : null
  /** Seals handed out so far, each with the thinking that it seals. */
  const seals = new Map<string, string>(options.seals)

  const record = (request: SeenRequest): void => {
    requests.push(request)
    for (const waiter of waiting.splice(0))
      if (waiter.index < requests.length) waiter.resolve(requests[waiter.index] ?? request)
      else waiting.push(waiter)
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? '').split('?')[0] ?? ''
    if (incoming.method === 'GET' && path.endsWith('/models')) return sendModels(response, options.models ?? [])
    const protocol = PATHS.find(([pattern]) => pattern.test(path))?.[1]
    const rawBody = await readBody(incoming)
    if (incoming.method !== 'POST' || protocol === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not Found"}}')
      return
    }
    const body = parsedBody(rawBody)
    const request = { index: requests.length, protocol, path, headers: incoming.headers, body, rawBody }
    record(request)
    const problem = options.validate === false ? null : problemOf(protocol, body, seals)
    if (problem !== null) {
      problems.push(`request ${request.index}: ${problem}`)
      return sendError(response, invalidRequestAnswer(problem, protocol), `req_${request.index}`)
    }
    const source = always ?? script.shift()
    if (source === undefined) {
      const message = `the script has no turn for request ${request.index}`
      problems.push(message)
      return sendError(response, invalidRequestAnswer(message, protocol), `req_${request.index}`)
    }
    const turn = typeof source === 'function' ? await source(request) : source
    const call = callOf(turn, request)
    if (turn.thinking !== undefined) seals.set(call.seal, turn.thinking)
    const streams = body['stream'] === true || path.endsWith(':streamGenerateContent')
    await sendTurn(response, turn, call, protocol, streams)
  }

  const server = await listenOnLoopback(handle)
  return {
    origin: server.origin,
    baseUrl: `${server.origin}/v1`,
    googleBaseUrl: `${server.origin}/v1beta`,
    requests,
    problems,
    get turnsLeft() {
      return script.length
    },
    push: (...turns) => void script.push(...turns),
    request: (index) =>
      new Promise((resolve) => {
        const seen = requests[index]
        if (seen === undefined) waiting.push({ index, resolve })
        else resolve(seen)
      }),
    close: () => server.close()
  }
}

function problemOf(
  protocol: WireProtocol,
  body: Readonly<Record<string, unknown>>,
  seals: ReadonlyMap<string, string>
): string | null {
  if (holdsHalfCharacter(body)) return 'The request body is not valid JSON: no low surrogate in string'
  switch (protocol) {
    case 'anthropic':
      return anthropicProblemOf(body, seals)
    case 'chat':
      return chatProblemOf(body)
    case 'responses':
      return responsesProblemOf(body, seals)
    case 'google':
      return googleProblemOf(body, seals)
  }
}

/** Half of a surrogate pair: Anthropic's words; others refuse it too. */
function holdsHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsHalfCharacter)
}

function callOf(turn: ScriptedTurn, request: SeenRequest): EncodedCall {
  const id = String(request.index)
  const { model } = request.body
  const answered = [turn.thinking, turn.text, JSON.stringify(turn.toolCalls ?? '')].join('')
  const usage: ScriptedUsage = {
    inputTokens: Math.ceil(Buffer.byteLength(request.rawBody) / ESTIMATE_BYTES_PER_TOKEN),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: Math.ceil(Buffer.byteLength(answered) / ESTIMATE_BYTES_PER_TOKEN),
    reasoningTokens: 0,
    ...turn.usage
  }
  const seal = createHash('sha256')
    .update(`${id}\n${turn.thinking ?? ''}`)
    .digest('base64')
  return { id, model: typeof model === 'string' ? model : 'scripted', usage, seal }
}

function parsedBody(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text === '' ? '{}' : text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function sendModels(response: ServerResponse, models: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }))
}
