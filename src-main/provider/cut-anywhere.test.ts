// T-4: an answer may break off at any byte. Whatever came before is kept word for word, and the call ends once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inForm } from '../history/testing/long-form'
import { ProviderFailureError } from './provider-failure-error'
import { resolveTestModel, streamedParts } from './testing/resolve-test-model'
import { startScriptedServer, type ScriptedServer } from './testing/scripted-server'
import type { ScriptedTurn, WireProtocol } from './testing/scripted-turn'

const TURN: ScriptedTurn = {
  thinking: 'Ich überlege …',
  text: 'Grüße, 漢字 and 👩‍🚀!',
  toolCalls: [{ name: 'read', input: { path: 'ä.txt' } }],
  usage: { inputTokens: 1, outputTokens: 1 }
}

/** Prime, so that the cuts fall everywhere within events and characters. */
const STEP_BYTES = inForm({ quick: 263, full: 89, long: 89 })
/** Longer than the answer in any of the protocols. */
const MAX_BYTES = 8_000

let server: ScriptedServer
let next: ScriptedTurn = TURN
beforeAll(async () => {
  server = await startScriptedServer({ turns: () => next })
})
afterAll(() => server.close())

describe('T-4 an answer cut at any byte', () => {
  it.each<WireProtocol>(['anthropic', 'chat', 'responses', 'google'])(
    'of %s ends once and keeps a true prefix',
    async (protocol) => {
      const { resolved } = await resolveTestModel(
        protocol,
        protocol === 'google' ? server.googleBaseUrl : server.baseUrl
      )
      // No second chance: what is looked at is the one answer that broke off.
      const { withRetry } = await import('./retry')
      const model = withRetry(resolved.model, {
        clock: { now: () => 0, sleep: () => Promise.reject(new Error('no retry here')) },
        random: Math.random,
        classify: (error) => ({ ...resolved.classify(error), retryable: false })
      })
      const endings = new Set<string>()
      for (let afterBytes = 0; afterBytes < MAX_BYTES && !endings.has('finish'); afterBytes += STEP_BYTES) {
        next = { ...TURN, fault: { kind: 'drop', afterBytes } }
        const parts = await streamedParts(model).catch((error: unknown) => {
          expect(error).toBeInstanceOf(ProviderFailureError)
          return null
        })
        if (parts === null) {
          endings.add('failed before anything was streamed')
          continue
        }
        const joined = (type: 'text-delta' | 'reasoning-delta') =>
          parts.map((part) => (part.type === type ? part.delta : '')).join('')
        expect(TURN.text?.startsWith(joined('text-delta'))).toBe(true)
        expect(TURN.thinking?.startsWith(joined('reasoning-delta'))).toBe(true)
        for (const part of parts) if (part.type === 'tool-call') expect(part.input).toBe('{"path":"ä.txt"}')
        const ends = parts.filter((part) => part.type === 'finish' || part.type === 'error')
        expect(ends).toEqual([parts.at(-1)])
        endings.add(ends[0]?.type ?? 'none')
      }
      // Gemini marks no end of its own: a connection that breaks after the last event is a fault there.
      const expected = ['failed before anything was streamed', 'error', ...(protocol === 'google' ? [] : ['finish'])]
      expect([...endings]).toEqual(expected)
    }
  )
})
