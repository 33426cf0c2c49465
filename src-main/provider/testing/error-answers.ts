// Owns how each provider says that something went wrong: bodies and events as the real ones send them.
import { sse, type ScriptedFault, type WireProtocol } from './scripted-turn'

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface ErrorWords {
  readonly status: number
  readonly message: string
  /** Anthropic's type, OpenAI's code, Google's status. */
  readonly anthropic: string
  readonly openai: string
  readonly google: string
}

/** The answer to a whole request that fails, or null for a fault that happens within a stream. */
export function errorAnswerOf(fault: ScriptedFault, protocol: WireProtocol): ErrorAnswer | null {
  switch (fault.kind) {
    case 'http':
      return { status: fault.status, headers: fault.headers ?? {}, body: fault.body }
    case 'rate-limit': {
      const headers: Record<string, string> = {}
      if (fault.retryAfter !== undefined) headers['retry-after'] = fault.retryAfter
      if (fault.retryAfterMs !== undefined) headers['retry-after-ms'] = String(fault.retryAfterMs)
      return answer(RATE_LIMIT, protocol, headers)
    }
    case 'overloaded':
      return answer(overloadedAt(protocol), protocol)
    case 'server-error':
      return answer(SERVER_ERROR, protocol)
    case 'auth':
      return answer(AUTH, protocol)
    case 'context-exceeded':
      return answer(tooLong(protocol, fault.tokens ?? 262_358, fault.limit ?? 262_144), protocol)
    case 'drop':
    case 'cut':
    case 'hang':
    case 'malformed-event':
    case 'error-event':
      return null
  }
}

/** The refusal of a request that breaks the provider's rules. */
export function invalidRequestAnswer(message: string, protocol: WireProtocol): ErrorAnswer {
  return answer(
    { status: 400, message, anthropic: 'invalid_request_error', openai: 'invalid_value', google: 'INVALID_ARGUMENT' },
    protocol
  )
}

/** An error as one event of a stream that had begun well. */
export function errorEventOf(protocol: WireProtocol, overloaded: boolean): string {
  const words = overloaded ? overloadedAt(protocol) : SERVER_ERROR
  if (protocol === 'anthropic') return sse(bodyOf(words, protocol), 'error')
  if (protocol !== 'responses') return sse(bodyOf(words, protocol))
  const { message, openai } = words
  return sse(
    { type: 'error', sequence_number: 99, error: { type: openai, code: openai, message, param: null } },
    'error'
  )
}

const RATE_LIMIT: ErrorWords = {
  status: 429,
  message: 'This request would exceed your rate limit. Please try again later.',
  anthropic: 'rate_limit_error',
  openai: 'rate_limit_exceeded',
  google: 'RESOURCE_EXHAUSTED'
}

const SERVER_ERROR: ErrorWords = {
  status: 500,
  message: 'Internal server error',
  anthropic: 'api_error',
  openai: 'server_error',
  google: 'INTERNAL'
}

const AUTH: ErrorWords = {
  status: 401,
  message: 'invalid x-api-key',
  anthropic: 'authentication_error',
  openai: 'invalid_api_key',
  google: 'UNAUTHENTICATED'
}

/** Anthropic has a status of its own for this. */
function overloadedAt(protocol: WireProtocol): ErrorWords {
  return {
    status: protocol === 'anthropic' ? 529 : 503,
    message: 'Overloaded',
    anthropic: 'overloaded_error',
    openai: 'server_overloaded',
    google: 'UNAVAILABLE'
  }
}

function tooLong(protocol: WireProtocol, tokens: number, limit: number): ErrorWords {
  const messages: Readonly<Record<WireProtocol, string>> = {
    anthropic: `prompt is too long: ${tokens} tokens > ${limit} maximum`,
    chat: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    responses: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    google: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${limit}).`
  }
  return {
    status: 400,
    message: messages[protocol],
    anthropic: 'invalid_request_error',
    openai: 'context_length_exceeded',
    google: 'INVALID_ARGUMENT'
  }
}

function answer(
  words: ErrorWords,
  protocol: WireProtocol,
  headers: Readonly<Record<string, string>> = {}
): ErrorAnswer {
  return { status: words.status, headers, body: JSON.stringify(bodyOf(words, protocol)) }
}

function bodyOf(words: ErrorWords, protocol: WireProtocol): object {
  const { status, message } = words
  if (protocol === 'anthropic') return { type: 'error', error: { type: words.anthropic, message } }
  if (protocol === 'google') return { error: { code: status, message, status: words.google } }
  return { error: { message, type: 'invalid_request_error', param: null, code: words.openai } }
}
