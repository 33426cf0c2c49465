// L-1: what the adapters mend in the streams of providers and of the SDK.
import { afterEach, describe, expect, it } from 'vitest'
import { resolveTestModel, streamedParts } from './testing/resolve-test-model'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import type { WireProtocol } from './testing/scripted-turn'
import { readWireFixture } from './testing/wire-fixtures'
import { startWireServer, type WireServer } from './testing/wire-server'

const servers: WireServer[] = []
const scriptedServers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of [...servers.splice(0), ...scriptedServers.splice(0)]) await server.close()
})

async function partsOfAnswer(protocol: WireProtocol, answer: readonly string[]) {
  const server = await startWireServer({ name: 'made up', protocol, answers: [answer] })
  servers.push(server)
  return streamedParts((await resolveTestModel(protocol, server.baseUrl)).model)
}

describe('L-1 Anthropic', () => {
  const recorded = readWireFixture('anthropic/anthropic-text').answers[0] ?? []

  it('passes over an event of a type that came after this version', async () => {
    const answer = [...recorded.slice(0, 5), '{"type":"weather_report","degrees":7}', ...recorded.slice(5)]
    expect(await partsOfAnswer('anthropic', answer)).toEqual(await partsOfAnswer('anthropic', recorded))
  })

  it('T-4 does not pass over a known event that is damaged', async () => {
    const answer = [...recorded.slice(0, 5), '{"type":"content_block_delta","index":0}', ...recorded.slice(5)]
    expect((await partsOfAnswer('anthropic', answer)).at(-1)).toMatchObject({
      type: 'error',
      error: { failure: { kind: 'malformed_stream' } }
    })
  })
})

describe('L-1 Chat Completions', () => {
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }

  it('L-4 hands Gemini’s thought signature out where the SDK looks for it when it is sent back', async () => {
    const signed = { ...call, extra_content: { google: { thought_signature: 'sealed' } } }
    const parts = await partsOfAnswer('chat', [chunk({ tool_calls: [signed] }), chunk({}, 'tool_calls')])
    expect(parts.find((part) => part.type === 'tool-call')?.providerMetadata).toEqual({
      google: { thoughtSignature: 'sealed' }
    })
  })

  it('E-1 leaves unknown usage unknown and not zero', async () => {
    const parts = await partsOfAnswer('chat', [chunk({ content: 'a' }), chunk({}, 'stop')])
    const finish = parts.at(-1)
    expect(finish?.type === 'finish' ? finish.usage.inputTokens.total : null).toBeUndefined()
  })

  it('T-4 takes the word of a server that its answer failed', async () => {
    const parts = await partsOfAnswer('chat', [chunk({ content: 'a' }), chunk({}, 'error')])
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { failure: { kind: 'provider' } } })
  })
})

describe('T-4 an answer that is complete', () => {
  it.each(['anthropic', 'chat', 'responses'] as const)(
    'on %s ends when the provider says so, not with the connection',
    async (protocol) => {
      const server = await startScriptedServer({
        // More events than there are: everything is sent, then the connection stays open.
        turns: [{ text: 'Done.', fault: { kind: 'hang', afterEvents: 1_000 } }]
      })
      scriptedServers.push(server)
      const { model } = await resolveTestModel(protocol, server.baseUrl)
      expect((await streamedParts(model)).at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
    }
  )
})

describe('L-1 Gemini', () => {
  it('T-4 takes a malformed tool call for a malformed answer', async () => {
    const answer = [
      '{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}}]}',
      '{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}'
    ]
    expect((await partsOfAnswer('google', answer)).at(-1)).toMatchObject({
      type: 'error',
      error: { failure: { kind: 'malformed_stream' } }
    })
  })

  it('T-4 takes a blocked prompt for a refusal', async () => {
    const parts = await partsOfAnswer('google', ['{"promptFeedback":{"blockReason":"SAFETY"}}'])
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'content-filter' } })
  })
})
