// T-4: our own retries over real HTTP, on a clock that the test moves.
import { jsonSchema, streamText, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { MAX_RETRY_AFTER_MS, PROVIDER_STALL_MS } from '@common/constants'
import { ProviderFailureError } from './provider-failure-error'
import { retryDelayMs } from './retry'
import { createManualClock } from './testing/manual-clock'
import { resolveTestModel, streamedParts, testCall, type TestModelOptions } from './testing/resolve-test-model'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import type { ScriptedFault, TurnSource, WireProtocol } from './testing/scripted-turn'

const PROTOCOLS: readonly WireProtocol[] = ['anthropic', 'chat', 'responses', 'google']
const TEXT = 'A tide mark is the line that the water leaves behind.'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function scripted(protocol: WireProtocol, turns: readonly TurnSource[], options: TestModelOptions = {}) {
  const server = await startScriptedServer({ turns })
  servers.push(server)
  const baseUrl = protocol === 'google' ? server.googleBaseUrl : server.baseUrl
  return { server, ...(await resolveTestModel(protocol, baseUrl, options)) }
}

async function textOf(parts: ReturnType<typeof streamedParts>): Promise<string> {
  return (await parts).map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
}

async function thrownBy(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const call = { maxOutputTokens: 100 }

describe('T-4 retries', () => {
  it.each(PROTOCOLS)('answer on %s after a rate limit, waiting as long as the server asked', async (protocol) => {
    const { model, retries, clock, server } = await scripted(protocol, [
      { fault: { kind: 'rate-limit', retryAfter: '7' } },
      { text: TEXT }
    ])
    expect(await textOf(streamedParts(model, call))).toBe(TEXT)
    expect(retries).toMatchObject([{ attempt: 1, delayMs: 7_000, failure: { kind: 'rate_limit' } }])
    expect(clock.sleeps).toContain(7_000)
    expect(server.requests).toHaveLength(2)
  })

  it('give up as overloaded after three, with waits that double', async () => {
    const { model, retries, server } = await scripted(
      'anthropic',
      Array.from({ length: 5 }, () => ({ fault: { kind: 'overloaded' as const } }))
    )
    expect(await thrownBy(model.doStream(testCall(call)))).toMatchObject({ failure: { kind: 'overloaded' } })
    expect(retries.map((retry) => retry.delayMs)).toEqual([1_000, 2_000, 4_000])
    expect(server.requests).toHaveLength(4)
  })

  it.each<[string, ScriptedFault]>([
    ['a server error', { kind: 'server-error' }],
    ['a connection dropped before the answer', { kind: 'drop' }],
    ['a connection dropped after the opening event', { kind: 'drop', afterBytes: 40 }],
    ['an overloaded event at the head of the stream', { kind: 'error-event', afterEvents: 1 }],
    ['an overloaded event after a text began without a character', { kind: 'error-event', afterEvents: 3 }]
  ])('follow %s', async (_name, fault) => {
    const { model, retries } = await scripted('anthropic', [{ text: TEXT, fault }, { text: TEXT }])
    expect(await textOf(streamedParts(model, call))).toBe(TEXT)
    expect(retries).toHaveLength(1)
  })

  it.each<[string, ScriptedFault, string]>([
    ['a wrong key', { kind: 'auth' }, 'auth'],
    ['a request that is too long', { kind: 'context-exceeded' }, 'context_exceeded'],
    ['an answer that ends before it began', { kind: 'cut', afterEvents: 2 }, 'malformed_stream'],
    ['an event that is no JSON', { kind: 'malformed-event', afterEvents: 1 }, 'malformed_stream']
  ])('do not follow %s', async (_name, fault, kind) => {
    const { model, retries } = await scripted('anthropic', [{ text: TEXT, fault }, { text: TEXT }])
    expect(await thrownBy(model.doStream(testCall(call)))).toMatchObject({ failure: { kind } })
    expect(retries).toEqual([])
  })

  it('do not wait longer than the app is willing to, and tell the wait', async () => {
    const { model, retries } = await scripted('anthropic', [{ fault: { kind: 'rate-limit', retryAfter: '600' } }])
    const error = await thrownBy(model.doStream(testCall(call)))
    expect(error).toMatchObject({ failure: { kind: 'rate_limit', retryAfterMs: 600_000 } })
    expect(error).toHaveProperty('message', expect.stringContaining('10 min'))
    expect(retries).toEqual([])
  })

  it('tell every attempt and hold no part of a failed one back for the next', async () => {
    const attempts: number[] = []
    const { server, resolved, clock } = await scripted('anthropic', [
      { text: TEXT, fault: { kind: 'error-event', afterEvents: 3 } },
      { text: TEXT }
    ])
    const { withRetry } = await import('./retry')
    const model = withRetry(resolved.model, {
      clock,
      random: () => 0,
      classify: (error) => resolved.classify(error),
      onAttempt: (attempt) => void attempts.push(attempt)
    })
    const parts = await streamedParts(model, call)
    expect(attempts).toEqual([0, 1])
    expect(parts.filter((part) => part.type === 'text-start')).toHaveLength(1)
    expect(parts.filter((part) => part.type === 'stream-start')).toHaveLength(1)
    expect(server.requests[0]?.rawBody).toBe(server.requests[1]?.rawBody)
  })

  it('keep to the spread that chance allows', () => {
    const failure = { kind: 'overloaded' as const, message: '', statusCode: 529, retryAfterMs: null, retryable: true }
    expect([0, 0.5, 0.999].map((random) => retryDelayMs(failure, 2, random))).toEqual([1_500, 2_000, 2_499])
    expect(retryDelayMs(failure, 4, 0.5)).toBeNull()
    expect(retryDelayMs({ ...failure, retryable: false }, 1, 0.5)).toBeNull()
    expect(retryDelayMs({ ...failure, retryAfterMs: MAX_RETRY_AFTER_MS }, 1, 0.5)).toBe(MAX_RETRY_AFTER_MS)
    expect(retryDelayMs({ ...failure, retryAfterMs: MAX_RETRY_AFTER_MS + 1 }, 1, 0.5)).toBeNull()
  })

  it('serve calls that do not stream too', async () => {
    const { model, server, retries } = await scripted('anthropic', [
      { fault: { kind: 'overloaded' } },
      { fault: { kind: 'auth' } }
    ])
    expect(await thrownBy(model.doGenerate(testCall(call)))).toMatchObject({ failure: { kind: 'auth' } })
    expect(retries).toHaveLength(1)
    expect(server.requests).toHaveLength(2)
  })
})

describe('T-4 a failure after something was streamed', () => {
  it.each<[string, WireProtocol, ScriptedFault, string]>([
    ['overloaded event', 'anthropic', { kind: 'error-event', afterEvents: 6 }, 'overloaded'],
    ['overloaded event', 'chat', { kind: 'error-event', afterEvents: 4 }, 'overloaded'],
    ['overloaded event', 'responses', { kind: 'error-event', afterEvents: 7 }, 'overloaded'],
    ['overloaded event', 'google', { kind: 'error-event', afterEvents: 3 }, 'overloaded'],
    ['malformed event', 'anthropic', { kind: 'malformed-event', afterEvents: 6 }, 'malformed_stream'],
    ['malformed event', 'chat', { kind: 'malformed-event', afterEvents: 4 }, 'malformed_stream'],
    ['malformed event', 'responses', { kind: 'malformed-event', afterEvents: 7 }, 'malformed_stream'],
    ['malformed event', 'google', { kind: 'malformed-event', afterEvents: 3 }, 'malformed_stream'],
    ['answer cut short', 'anthropic', { kind: 'cut', afterEvents: 6 }, 'malformed_stream'],
    ['answer cut short', 'chat', { kind: 'cut', afterEvents: 4 }, 'malformed_stream'],
    ['answer cut short', 'responses', { kind: 'cut', afterEvents: 7 }, 'malformed_stream'],
    ['answer cut short', 'google', { kind: 'cut', afterEvents: 3 }, 'malformed_stream'],
    ['dropped connection', 'anthropic', { kind: 'drop', afterBytes: 700 }, 'network'],
    ['dropped connection', 'chat', { kind: 'drop', afterBytes: 800 }, 'network'],
    ['dropped connection', 'responses', { kind: 'drop', afterBytes: 1_800 }, 'network'],
    ['dropped connection', 'google', { kind: 'drop', afterBytes: 900 }, 'network']
  ])('(%s on %s) keeps the text, is not tried again and ends in one error', async (_name, protocol, fault, kind) => {
    const { model, retries, server } = await scripted(protocol, [{ text: TEXT, fault }, { text: TEXT }])
    const parts = await streamedParts(model, call)
    const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    expect(text.length).toBeGreaterThan(0)
    expect(TEXT.startsWith(text)).toBe(true)
    expect(parts.filter((part) => part.type === 'finish')).toEqual([])
    const last = parts.at(-1)
    expect(last?.type === 'error' && last.error instanceof ProviderFailureError ? last.error.failure.kind : last).toBe(
      kind
    )
    expect(parts.filter((part) => part.type === 'error')).toHaveLength(1)
    expect(retries).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('reaches a reader of streamText as one error part, and runs no tool of the broken step', async () => {
    let ran = 0
    const { model } = await scripted('anthropic', [
      { toolCalls: [{ name: 'look', input: {} }], fault: { kind: 'cut', afterEvents: 5 } }
    ])
    const result = streamText({
      model,
      prompt: 'Hello',
      maxRetries: 0,
      onError: () => {},
      tools: { look: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => ++ran }) }
    })
    const parts: string[] = []
    for await (const part of result.fullStream) parts.push(part.type)
    expect(parts.filter((type) => type === 'error')).toHaveLength(1)
    expect(parts).toContain('tool-call')
    expect(ran).toBe(0)
    expect(await result.finishReason).toBe('error')
  })
})

describe('T-4 an empty answer', () => {
  it.each(PROTOCOLS)('of %s is an answer', async (protocol) => {
    const { model, retries } = await scripted(protocol, [{ text: '' }])
    const parts = await streamedParts(model, call)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
    expect(retries).toEqual([])
  })

  it.each(PROTOCOLS)('of %s ends a turn of streamText without an error', async (protocol) => {
    const { model } = await scripted(protocol, [{ text: '' }])
    const result = streamText({ model, prompt: 'Hello', maxRetries: 0 })
    expect(await result.text).toBe('')
    expect(await result.finishReason).toBe('stop')
  })
})

describe('T-4 the watch', () => {
  it.each<[string, ScriptedFault]>([
    ['before the headers', { kind: 'hang' }],
    ['after the opening event', { kind: 'hang', afterEvents: 1 }]
  ])('gives up %s after 120 s and tries again', async (_name, fault) => {
    const clock = createManualClock(undefined, 20_000)
    const { model, retries, server } = await scripted('anthropic', [{ text: TEXT, fault }, { text: TEXT }], { clock })
    const parts = streamedParts(model, call)
    await server.request(0)
    while (retries.length === 0) await clock.advance(PROVIDER_STALL_MS)
    expect(await textOf(parts)).toBe(TEXT)
    expect(retries[0]?.failure).toMatchObject({ kind: 'network', retryable: true })
    expect(retries[0]?.failure.message).toContain('120 s')
  })

  it('ends an answer that stops in the middle with an error, and does not try again', async () => {
    const clock = createManualClock()
    const { model, server } = await scripted('anthropic', [{ text: TEXT, fault: { kind: 'hang', afterEvents: 6 } }], {
      clock
    })
    const { stream } = await model.doStream(testCall(call))
    const parts: { type: string; error?: unknown }[] = []
    const reading = (async () => {
      for await (const part of stream) parts.push(part)
    })()
    while (!parts.some((part) => part.type === 'error')) await clock.advance(PROVIDER_STALL_MS)
    await reading
    expect(parts.at(-1)?.error).toMatchObject({ failure: { kind: 'network' } })
    expect(server.requests).toHaveLength(1)
  })

  it('counts bytes, not parts: a model that thinks for minutes is kept alive by what the provider sends', async () => {
    const clock = createManualClock()
    const gate = (): Promise<void> => clock.advance(PROVIDER_STALL_MS - 1)
    const { model } = await scripted('anthropic', [{ text: TEXT, delivery: { gate } }], { clock })
    expect(await textOf(streamedParts(model, call))).toBe(TEXT)
    expect(clock.now()).toBeGreaterThan(1_790_000_000_000 + 8 * PROVIDER_STALL_MS)
  })
})

describe('T-4 an abort', () => {
  it('ends the wait before a retry at once', async () => {
    const clock = createManualClock()
    const { model, server } = await scripted('anthropic', [{ fault: { kind: 'overloaded' } }, { text: TEXT }], {
      clock
    })
    const stop = new AbortController()
    const error = thrownBy(model.doStream(testCall({ ...call, abortSignal: stop.signal })))
    await clock.sleeping(1_000)
    stop.abort()
    expect(await error).toHaveProperty('name', 'AbortError')
    expect(server.requests).toHaveLength(1)
  })

  it('ends a request that hangs before its headers', async () => {
    const { model, server } = await scripted('anthropic', [{ fault: { kind: 'hang' } }])
    const stop = new AbortController()
    const error = thrownBy(model.doStream(testCall({ ...call, abortSignal: stop.signal })))
    await server.request(0)
    stop.abort('interrupted')
    expect(await error).toHaveProperty('name', 'AbortError')
  })

  it('makes no request when it came first', async () => {
    const { model, server } = await scripted('anthropic', [{ text: TEXT }])
    const error = await thrownBy(model.doStream(testCall({ ...call, abortSignal: AbortSignal.abort() })))
    expect(error).toHaveProperty('name', 'AbortError')
    expect(server.requests).toEqual([])
  })

  it('in the middle of an answer is an abort part of streamText, whatever the reason given', async () => {
    const { model } = await scripted('anthropic', [{ text: TEXT, fault: { kind: 'hang', afterEvents: 6 } }])
    const stop = new AbortController()
    const result = streamText({ model, prompt: 'Hello', maxRetries: 0, abortSignal: stop.signal })
    const types: string[] = []
    for await (const part of result.fullStream) {
      types.push(part.type)
      if (part.type === 'text-delta') stop.abort('the person pressed stop')
    }
    expect(types.at(-1)).toBe('abort')
    expect(types).not.toContain('error')
  })
})
