// T-4: HTTP answers of the four protocols and of local servers, through the adapters, to a failure.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import { resolveTestModel, testCall } from './testing/resolve-test-model'
import { TEST_API_KEY } from './testing/provider-entries'
import type { WireProtocol } from './testing/scripted-turn'

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

/** The failure that an HTTP answer becomes on its way through the adapter. */
async function failureOfAnswer(
  protocol: WireProtocol,
  status: number,
  body: string | object,
  headers: Record<string, string> = {}
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  server.push({ fault: { kind: 'http', status, body: text, headers } })
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  const { resolved } = await resolveTestModel(protocol, baseUrl)
  try {
    await resolved.model.doStream(testCall({ maxOutputTokens: 100 }))
  } catch (error) {
    return resolved.classify(error)
  }
  throw new Error('the request did not fail')
}

const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' })
const openai = (message: string, code: string | number | null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code }
})
const google = (code: number, message: string, status: string, details?: unknown[]) => ({
  error: { code, message, status, ...(details === undefined ? {} : { details }) }
})

type Row = readonly [
  name: string,
  protocol: WireProtocol,
  status: number,
  body: string | object,
  kind: string,
  retryable: boolean
]

const CONTEXT_EXCEEDED: readonly Row[] = (
  [
    [
      'Anthropic',
      'anthropic',
      400,
      anthropic('invalid_request_error', 'prompt is too long: 262358 tokens > 262144 maximum')
    ],
    [
      'Anthropic, output included',
      'anthropic',
      400,
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again'
      )
    ],
    [
      'Anthropic, bytes',
      'anthropic',
      413,
      anthropic('request_too_large', 'Request exceeds the maximum allowed number of bytes')
    ],
    [
      'OpenAI Responses',
      'responses',
      400,
      openai(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'context_length_exceeded'
      )
    ],
    [
      'OpenAI Chat',
      'chat',
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130301 tokens. Please reduce the length of the messages.",
        'context_length_exceeded'
      )
    ],
    [
      'OpenAI, a rate that no waiting can meet',
      'responses',
      429,
      openai(
        'Request too large for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 44000.',
        'rate_limit_exceeded',
        'tokens'
      )
    ],
    [
      'Google',
      'google',
      400,
      google(
        400,
        'The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).',
        'INVALID_ARGUMENT'
      )
    ],
    [
      'Vertex',
      'google',
      400,
      google(
        400,
        'Unable to submit request because the input token count is 1048577 but model only supports up to 1048576.',
        'INVALID_ARGUMENT'
      )
    ],
    ['Ollama', 'chat', 400, openai('the input length exceeds the context length', null, 'api_error')],
    [
      'llama.cpp',
      'chat',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9012,
          n_ctx: 8192
        }
      }
    ],
    [
      'llama.cpp, older',
      'chat',
      500,
      { error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }
    ],
    [
      'vLLM',
      'chat',
      400,
      openai(
        "This model's maximum context length is 4096 tokens. However, you requested 5001 tokens (4501 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
        400,
        'BadRequestError'
      )
    ],
    [
      'vLLM, decoder',
      'chat',
      400,
      openai(
        'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
        400,
        'BadRequestError'
      )
    ],
    [
      'vLLM, flat body',
      'chat',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens.",
        type: 'BadRequestError',
        code: 400
      }
    ],
    [
      'LM Studio',
      'chat',
      400,
      openai(
        'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
        null
      )
    ],
    [
      'xAI',
      'chat',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
      }
    ],
    [
      'Groq',
      'chat',
      413,
      openai(
        'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 9000',
        'rate_limit_exceeded',
        'tokens'
      )
    ],
    [
      'Mistral',
      'chat',
      400,
      openai(
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        3051
      )
    ],
    [
      'OpenRouter',
      'chat',
      400,
      {
        error: {
          code: 400,
          message:
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens."
        }
      }
    ],
    ['a proxy', 'chat', 413, '<html><body>413 Request Entity Too Large</body></html>']
  ] as const
).map(([name, protocol, status, body]) => [name, protocol, status, body, 'context_exceeded', false])

const OTHERS: readonly Row[] = [
  ['Anthropic key', 'anthropic', 401, anthropic('authentication_error', 'invalid x-api-key'), 'auth', false],
  [
    'Anthropic permission',
    'anthropic',
    403,
    anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'),
    'auth',
    false
  ],
  [
    'Anthropic rate',
    'anthropic',
    429,
    anthropic(
      'rate_limit_error',
      'This request would exceed your organization’s rate limit of 50,000 input tokens per minute'
    ),
    'rate_limit',
    true
  ],
  ['Anthropic overloaded', 'anthropic', 529, anthropic('overloaded_error', 'Overloaded'), 'overloaded', true],
  ['Anthropic internal', 'anthropic', 500, anthropic('api_error', 'Internal server error'), 'provider', true],
  [
    'Anthropic credit',
    'anthropic',
    400,
    anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    'provider',
    false
  ],
  [
    'Anthropic output filter',
    'anthropic',
    400,
    anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
    'content_filter',
    false
  ],
  ['Anthropic model', 'anthropic', 404, anthropic('not_found_error', 'model: claude-none'), 'provider', false],
  [
    'Anthropic bad request',
    'anthropic',
    400,
    anthropic('invalid_request_error', 'messages: at least one message is required'),
    'provider',
    false
  ],
  ['Cloudflare page', 'anthropic', 502, '<html>502 Bad Gateway</html>', 'provider', true],
  [
    'OpenAI key',
    'responses',
    401,
    openai(
      `Incorrect API key provided: ${TEST_API_KEY}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      'invalid_api_key'
    ),
    'auth',
    false
  ],
  [
    'OpenAI rate',
    'responses',
    429,
    openai(
      'Rate limit reached for gpt-5 in organization org-1 on requests per min. Please try again in 1.242s.',
      'rate_limit_exceeded',
      'requests'
    ),
    'rate_limit',
    true
  ],
  [
    'OpenAI quota',
    'responses',
    429,
    openai(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota'
    ),
    'rate_limit',
    false
  ],
  [
    'OpenAI server',
    'responses',
    500,
    openai('The server had an error while processing your request.', null, 'server_error'),
    'provider',
    true
  ],
  [
    'OpenAI overloaded',
    'responses',
    503,
    openai('That model is currently overloaded with other requests.', null, 'server_error'),
    'overloaded',
    true
  ],
  [
    'OpenAI policy',
    'responses',
    400,
    openai('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', 'invalid_prompt'),
    'content_filter',
    false
  ],
  [
    'OpenAI model',
    'responses',
    404,
    openai('The model `gpt-none` does not exist or you do not have access to it.', 'model_not_found'),
    'provider',
    false
  ],
  [
    'Azure filter',
    'chat',
    400,
    {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        code: 'content_filter',
        status: 400
      }
    },
    'content_filter',
    false
  ],
  [
    'Google key',
    'google',
    400,
    google(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }
    ]),
    'auth',
    false
  ],
  [
    'Google permission',
    'google',
    403,
    google(403, 'Permission denied on resource project', 'PERMISSION_DENIED'),
    'auth',
    false
  ],
  [
    'Google overloaded',
    'google',
    503,
    google(503, 'The model is overloaded. Please try again later.', 'UNAVAILABLE'),
    'overloaded',
    true
  ],
  ['Google internal', 'google', 500, google(500, 'An internal error has occurred.', 'INTERNAL'), 'provider', true],
  [
    'Google rate',
    'google',
    429,
    google(429, 'You exceeded your current quota, please check your plan and billing details.', 'RESOURCE_EXHAUSTED', [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }
    ]),
    'rate_limit',
    true
  ],
  [
    'Ollama model',
    'chat',
    404,
    openai('model "llama3" not found, try pulling it first', null, 'api_error'),
    'provider',
    false
  ],
  [
    'Ollama busy',
    'chat',
    503,
    openai('server busy, please try again. maximum pending requests exceeded', null, 'api_error'),
    'overloaded',
    true
  ],
  [
    'llama.cpp loading',
    'chat',
    503,
    { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    'overloaded',
    true
  ],
  ['OpenRouter credit', 'chat', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'provider', false],
  [
    'OpenRouter moderation',
    'chat',
    403,
    { error: { code: 403, message: 'Input was flagged by moderation', metadata: { reasons: ['violence'] } } },
    'content_filter',
    false
  ],
  ['a router without that path', 'chat', 404, { detail: 'Not Found' }, 'provider', false],
  ['a timeout of a gateway', 'chat', 408, '', 'network', true]
]

describe('T-4 HTTP answers', () => {
  it.each([...CONTEXT_EXCEEDED, ...OTHERS])(
    'of %s are classified',
    async (_name, protocol, status, body, kind, retryable) => {
      const failure = await failureOfAnswer(protocol, status, body)
      expect(failure).toMatchObject({ kind, retryable, statusCode: status })
      expect(failure.message).not.toContain(TEST_API_KEY)
      expect(failure.message).toMatch(/^[A-Z“a-z].*\.$/)
      expect(failure.message).not.toContain('\n')
    }
  )

  it('name the lengths where the provider does', async () => {
    const failure = await failureOfAnswer(
      'anthropic',
      400,
      anthropic('invalid_request_error', 'prompt is too long: 262358 tokens > 262144 maximum')
    )
    expect(failure.message).toContain('262 358 tokens, limit 262 144')
  })

  it.each([
    ['seconds', { 'retry-after': '20' }, '', 20_000],
    ['seconds with a fraction', { 'retry-after': '0.5' }, '', 500],
    ['milliseconds, which win', { 'retry-after': '20', 'retry-after-ms': '1500' }, '', 1_500],
    ['a date', { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, '', 30_000],
    [
      'a date in the past',
      { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:00:00 GMT' },
      '',
      0
    ],
    ['nothing', {}, '', null],
    ['nonsense', { 'retry-after': 'soon' }, '', null],
    ['words', {}, 'Please try again in 6m0.5s.', 360_500]
  ])('tell the wait in %s', async (_name, headers, words, expected) => {
    const failure = await failureOfAnswer(
      'anthropic',
      429,
      anthropic('rate_limit_error', `Slow down. ${words}`),
      headers
    )
    expect(failure.retryAfterMs).toBe(expected)
  })

  it('tell the wait that Google puts into the body', async () => {
    const body = google(429, 'Resource exhausted', 'RESOURCE_EXHAUSTED', [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }
    ])
    const failure = await failureOfAnswer('google', 429, body)
    expect(failure.retryAfterMs).toBe(37_000)
    expect(failure.message).toContain('wait 37 s')
  })

  it('never quote a key, a bearer token or a query string', async () => {
    const secrets = `key sk-ant-api03-abcdefghijkl, AIzaSyA1234567890abcdefghijk, Bearer abc.def.ghi, https://x.test/v1?key=s3cr3tvalue, ${TEST_API_KEY}`
    const failure = await failureOfAnswer('anthropic', 400, anthropic('invalid_request_error', `no: ${secrets}`))
    expect(failure.message).not.toMatch(/sk-ant|AIzaSy|abc\.def|s3cr3t|sk-test/)
  })

  it('quote what the server said where it helps', async () => {
    const failure = await failureOfAnswer('anthropic', 400, anthropic('invalid_request_error', 'tools.0.name: wrong'))
    expect(failure.message).toContain('“tools.0.name: wrong”')
  })
})
