import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { REQUESTS } from '@common/contract/requests'
import type { RequestName } from '@common/contract/requests'
import { ok } from '@common/result'
import type { Log } from '../files/log'
import { createDispatch, failure } from './dispatch'
import type { Handlers } from './dispatch'

/** A dispatcher whose handlers note what they get, but for those given here. */
function dispatching(handlers: Partial<Handlers> = {}) {
  const seen: [string, unknown][] = []
  const logged: string[] = []
  const note = (event: string, fields: unknown): void => void logged.push(`${event} ${JSON.stringify(fields)}`)
  const log: Log = { info: note, warn: note, error: note }
  const noting = Object.fromEntries(
    (Object.keys(REQUESTS) as RequestName[]).map((name) => [
      name,
      async (input: unknown) => {
        seen.push([name, input])
        return ok({})
      }
    ])
  )
  // Each notes and answers nothing: enough for what the dispatcher itself does.
  const table = { ...noting, ...handlers } as unknown as Handlers
  return { dispatch: createDispatch(table, log), seen, logged }
}

describe('the dispatcher', () => {
  it('hands a parsed input to the handler of its name, and gives its answer back', async () => {
    const { dispatch, seen } = dispatching({
      'project.pick': async () => ok({ project: null }),
      'turn.retry': async () => ({ ok: false, error: failure('busy', 'A turn is under way.') })
    })
    expect(await dispatch('workspace.open', { workspaceId: 'w', surplus: 1 })).toEqual({ ok: true, value: {} })
    expect(seen).toEqual([['workspace.open', { workspaceId: 'w' }]])
    expect(await dispatch('project.pick', {})).toEqual({ ok: true, value: { project: null } })
    expect(await dispatch('turn.retry', { workspaceId: 'w' })).toEqual({
      ok: false,
      error: { kind: 'busy', message: 'A turn is under way.' }
    })
  })

  it.each(['', 'nope', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'x'.repeat(10_000)])(
    'answers a name that the contract does not know with a typed error: %s',
    async (name) => {
      const { dispatch, seen } = dispatching()
      expect(await dispatch(name, {})).toEqual({
        ok: false,
        error: { kind: 'invalid-input', message: `There is no request named “${name.slice(0, 100)}”.` }
      })
      expect(seen).toEqual([])
    }
  )

  it.each([
    ['workspace.open', undefined, 'the input'],
    ['workspace.open', {}, 'workspaceId'],
    ['turn.send', { workspaceId: 'w', text: 'a', attachments: [{}], mode: 'tool-end' }, 'attachments.0.sha256']
  ])('names the field of %s that cannot be used, and asks no handler', async (name, input, field) => {
    const { dispatch, seen } = dispatching()
    const answer = await dispatch(name, input)
    expect(answer).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    expect(answer.ok ? '' : answer.error.message).toContain(`${name}: ${field} cannot be used`)
    expect(seen).toEqual([])
  })

  it('answers a bug in a handler with plain words, and logs what it was', async () => {
    const { dispatch, logged } = dispatching({
      'app.start': () => Promise.reject(new TypeError('x is undefined')),
      'models.list': () => {
        throw new Error('at once')
      }
    })
    for (const name of ['app.start', 'models.list']) {
      const answer = await dispatch(name, {})
      expect(answer).toMatchObject({ ok: false, error: { kind: 'internal' } })
      expect(JSON.stringify(answer)).not.toContain('undefined')
    }
    expect(logged[0]).toContain('request-broke')
    expect(logged[0]).toContain('x is undefined')
  })

  it('answers an error of the system with its file and what to do, as no bug', async () => {
    const { dispatch, logged } = dispatching({
      'app.start': async () => {
        readFileSync('/nowhere/at/all')
        return Promise.reject(new Error('not reached'))
      }
    })
    const answer = await dispatch('app.start', {})
    expect(answer).toMatchObject({ ok: false, error: { kind: 'io' } })
    expect(answer.ok ? '' : answer.error.message).toContain('/nowhere/at/all')
    expect(logged).toEqual([])
  })

  it('survives an input that fights back', async () => {
    const { dispatch } = dispatching()
    const hostile = {
      get workspaceId(): string {
        throw new Error('gotcha')
      }
    }
    expect(await dispatch('workspace.open', hostile)).toMatchObject({ ok: false, error: { kind: 'internal' } })
  })
})
