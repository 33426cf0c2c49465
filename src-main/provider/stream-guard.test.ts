// T-4: whatever a model's stream does, a guarded one ends once.
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { guardStream, openStream } from './stream-guard'
import { partsOf } from './testing/resolve-test-model'

const FINISH: LanguageModelV3StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'end_turn' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined }
  }
}
const text = (delta: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta })
const error = (message: string): LanguageModelV3StreamPart => ({ type: 'error', error: new Error(message) })

interface Source {
  readonly stream: ReadableStream<LanguageModelV3StreamPart>
  readonly cancelled: unknown[]
}

function sourceOf(parts: readonly LanguageModelV3StreamPart[], end: 'close' | 'stay open' | Error = 'close'): Source {
  const cancelled: unknown[] = []
  const left = [...parts]
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    pull(controller) {
      const part = left.shift()
      if (part !== undefined) return controller.enqueue(part)
      if (end === 'close') return controller.close()
      return end === 'stay open' ? undefined : controller.error(end)
    },
    cancel: (reason) => void cancelled.push(reason)
  })
  return { stream, cancelled }
}

async function guarded(source: Source, signal?: AbortSignal) {
  const failureOf = (cause: unknown): Error => new Error(`classified: ${cause instanceof Error ? cause.message : '?'}`)
  return guardStream(await openStream(source.stream, signal), signal, failureOf)
}

describe('T-4 a guarded stream', () => {
  it('passes an answer on as it is', async () => {
    const parts = [{ type: 'stream-start' as const, warnings: [] }, text('a'), text('b'), FINISH]
    expect(await partsOf(await guarded(sourceOf(parts)))).toEqual(parts)
  })

  it('ends at the first finish', async () => {
    const parts = await partsOf(await guarded(sourceOf([text('a'), FINISH, text('b'), FINISH])))
    expect(parts).toEqual([text('a'), FINISH])
  })

  it('ends at the first error, classified, and lets the rest go', async () => {
    const source = sourceOf([text('a'), error('one'), error('two'), FINISH])
    const parts = await partsOf(await guarded(source))
    expect(parts).toEqual([text('a'), error('classified: one')])
    expect(source.cancelled).toHaveLength(1)
  })

  it('ends in an error when it breaks, and when it ends without a finish', async () => {
    const broken = await partsOf(await guarded(sourceOf([text('a')], new Error('terminated'))))
    expect(broken.at(-1)).toEqual(error('classified: terminated'))
    const cut = await partsOf(await guarded(sourceOf([text('a')])))
    expect(cut.at(-1)).toEqual(error('classified: the stream ended without a finish'))
  })

  it('is not opened by empty pieces: an error after them was before anything was streamed', async () => {
    const source = sourceOf(
      [
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { anthropic: { signature: 's' } } },
        text(''),
        error('too early')
      ],
      'stay open'
    )
    await expect(openStream(source.stream, undefined)).rejects.toThrow('too early')
    expect(source.cancelled).toHaveLength(1)
  })

  it('keeps what came before the first content', async () => {
    const signature: LanguageModelV3StreamPart = {
      type: 'reasoning-start',
      id: '0',
      providerMetadata: { anthropic: { redactedData: 'sealed' } }
    }
    const parts = await partsOf(
      await guarded(sourceOf([signature, { type: 'reasoning-end', id: '0' }, text('a'), FINISH]))
    )
    expect(parts[0]).toEqual(signature)
  })

  it('lets the provider go when its reader does', async () => {
    const source = sourceOf([text('a'), text('b')], 'stay open')
    const stream = await guarded(source)
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(source.cancelled).toEqual(['enough'])
  })

  it('breaks with an AbortError at once when aborted, also where the model does not listen', async () => {
    const stop = new AbortController()
    const source = sourceOf([text('a')], 'stay open')
    const reader = (await guarded(source, stop.signal)).getReader()
    await reader.read()
    const next = reader.read()
    stop.abort('stop')
    await expect(next).rejects.toMatchObject({ name: 'AbortError', message: 'stop' })
    expect(source.cancelled).toHaveLength(1)
  })
})
