// T-4: errors inside of streams, network faults and odd things, to a failure. HTTP answers: http-errors.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { classifyProviderError, failureOfFinish } from './provider-errors'
import { ProviderFailureError } from './provider-failure-error'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import { resolveTestModel, testCall } from './testing/resolve-test-model'
import type { WireProtocol } from './testing/scripted-turn'

const SUBJECT = { providerName: 'Acme', modelRef: 'acme:large' }

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

describe('T-4 errors inside of a stream', () => {
  it.each([
    ['Anthropic overloaded', { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', true],
    ['Anthropic internal', { type: 'api_error', message: 'Internal server error' }, 'provider', true],
    ['Anthropic rate', { type: 'rate_limit_error', message: 'Too many' }, 'rate_limit', true],
    [
      'OpenAI flattened',
      { message: 'Overloaded', code: 'server_overloaded', statusCode: 503, data: {} },
      'overloaded',
      true
    ],
    ['vLLM', { message: 'boom', type: 'InternalServerError', code: 500 }, 'provider', true],
    [
      'llama.cpp too long',
      { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
      'context_exceeded',
      false
    ],
    ['a JSON text', '{"error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded', true],
    ['a plain text', 'upstream connect error', 'provider', false],
    ['nothing', undefined, 'provider', false]
  ])('as %s are classified', (_name, error, kind, retryable) => {
    expect(classifyProviderError(error, SUBJECT)).toMatchObject({ kind, retryable })
  })

  const HEAD: readonly (readonly [string, WireProtocol, string, string])[] = [
    [
      'Anthropic, a key',
      'anthropic',
      '{"type":"error","error":{"type":"authentication_error","message":"no"}}',
      'auth'
    ],
    [
      'Anthropic, too long',
      'anthropic',
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 10 tokens > 5 maximum"}}',
      'context_exceeded'
    ],
    [
      'Anthropic, overloaded',
      'anthropic',
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'overloaded'
    ],
    ['Anthropic, broken JSON', 'anthropic', '{"type":"message_st', 'malformed_stream'],
    ['Anthropic, broken event', 'anthropic', '{"type":"message_start","message":7}', 'malformed_stream'],
    ['OpenRouter', 'chat', '{"error":{"message":"Provider returned error","code":502}}', 'provider'],
    [
      'vLLM, too long',
      'chat',
      '{"object":"error","message":"maximum context length is 10 tokens","code":400}',
      'context_exceeded'
    ],
    ['Chat, broken JSON', 'chat', '{"choices":[', 'malformed_stream'],
    [
      'OpenAI, rate',
      'responses',
      '{"type":"response.failed","sequence_number":1,"response":{"id":"r","error":{"code":"rate_limit_exceeded","message":"Rate limit reached"}}}',
      'rate_limit'
    ],
    [
      'OpenAI, server',
      'responses',
      '{"type":"error","sequence_number":1,"error":{"type":"server_error","code":"server_error","message":"The server had an error","param":null}}',
      'provider'
    ],
    [
      'Google, overloaded',
      'google',
      '{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}',
      'overloaded'
    ]
  ]

  it.each(HEAD)('of %s at the head of a 200 answer are read by what they say', async (_name, protocol, data, kind) => {
    const headers = { 'content-type': 'text/event-stream' }
    server.push({ fault: { kind: 'http', status: 200, body: `data: ${data}\n\n`, headers } })
    const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
    const { model, retries } = await resolveTestModel(protocol, baseUrl)
    const thrown: unknown = await Promise.resolve(model.doStream(testCall({ maxOutputTokens: 100 }))).catch(
      (error: unknown) => error
    )
    const failure = thrown instanceof ProviderFailureError ? thrown.failure : null
    // Where it is tried again, the retry finds the script empty: the first failure counts.
    expect((retries[0]?.failure ?? failure)?.kind).toBe(kind)
  })

  it('malformed: an answer that is no event stream at all', async () => {
    server.push({ fault: { kind: 'http', status: 200, body: '<html>Log in to the network</html>' } })
    const { model } = await resolveTestModel('anthropic', server.baseUrl)
    await expect(Promise.resolve(model.doStream(testCall()))).rejects.toMatchObject({
      failure: { kind: 'malformed_stream', retryable: false }
    })
  })
})

describe('T-4 network faults', () => {
  it('say where nobody listens', async () => {
    const gone = await startScriptedServer()
    await gone.close()
    const { resolved } = await resolveTestModel('chat', gone.baseUrl)
    const failure = await Promise.resolve(resolved.model.doStream(testCall())).then(
      () => null,
      (error: unknown) => resolved.classify(error)
    )
    expect(failure).toMatchObject({ kind: 'network', retryable: true, statusCode: null })
    expect(failure?.message).toContain(new URL(gone.origin).host)
  })

  it.each([
    ['ECONNRESET', true],
    ['ETIMEDOUT', true],
    ['ENOTFOUND', true],
    ['EAI_AGAIN', true],
    ['EPIPE', true],
    ['UND_ERR_SOCKET', true],
    ['UND_ERR_HEADERS_TIMEOUT', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    ['CERT_HAS_EXPIRED', false]
  ])('as %s are network faults (may be tried again: %s)', (code, retryable) => {
    const cause = Object.assign(new Error('low'), { code })
    const error = new TypeError('fetch failed', { cause })
    expect(classifyProviderError(error, SUBJECT)).toMatchObject({ kind: 'network', retryable })
  })

  it.each(['terminated', 'fetch failed', 'socket hang up', 'other side closed'])(
    'as “%s” without a code too',
    (text) => {
      expect(classifyProviderError(new TypeError(text), SUBJECT)).toMatchObject({ kind: 'network', retryable: true })
    }
  )
})

describe('T-4 classification', () => {
  it('leaves a failure that was classified already as it is', () => {
    const failure = classifyProviderError(new TypeError('terminated'), SUBJECT)
    expect(classifyProviderError(new ProviderFailureError(failure), { providerName: 'x', modelRef: 'y:z' })).toBe(
      failure
    )
  })

  it('survives causes that go in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(classifyProviderError(error, SUBJECT).kind).toBe('provider')
  })

  it.each([
    ['content-filter', 'refusal', 'content_filter'],
    ['content-filter', 'SAFETY', 'content_filter'],
    ['error', 'MALFORMED_FUNCTION_CALL', 'malformed_stream'],
    ['error', undefined, 'provider']
  ])('reads a finish with %s, %s as a failure', (unified, raw, kind) => {
    expect(failureOfFinish(unified, raw, SUBJECT)?.kind).toBe(kind)
  })

  it.each(['stop', 'length', 'tool-calls', 'other'])('reads a finish with %s as an answer', (unified) => {
    expect(failureOfFinish(unified, undefined, SUBJECT)).toBeNull()
  })
})
