// Owns what tests of inputs that do not fit have in common: models of any size, texts and files of any size, and the
// proofs that nothing over the ceiling left and that the conversation goes on.
import { expect } from 'vitest'
import { hardCeilingOf } from '@common/budget/budget-points'
import { IMAGE_TOKEN_ESTIMATE } from '@common/constants'
import type { AttachmentReference } from '@common/contract/views'
import type { ScriptedServer } from '../../provider/testing/scripted-server'
import type { TestApp, TurnEnded } from '../../testing/test-app'
import { type BudgetRig, budgetProblemsOf, lastEnd, sentTokens, SMALL_MODEL, storedRows, work } from './budget-rig'

export interface Limits {
  readonly id: string
  readonly contextLimit: number
  readonly maxOutputTokens: number
}

export const limitsOf = (contextLimit: number, maxOutputTokens = 2_000): Limits => ({
  ...SMALL_MODEL,
  contextLimit,
  maxOutputTokens
})

/** Every request that left was under the ceiling of this model. */
export async function expectBelow(server: ScriptedServer, limits: Limits): Promise<void> {
  const ceiling = hardCeilingOf(limits) ?? 0
  for (const request of server.requests)
    expect(await sentTokens(request, IMAGE_TOKEN_ESTIMATE), `request ${request.index}`).toBeLessThan(ceiling)
}

/** Nothing runs, the rows are right, and one more message is answered. */
export async function expectUsable({ test, server }: BudgetRig): Promise<void> {
  expect(test.session.busy).toBe(false)
  expect(await work(test, 'Still there?')).toMatchObject({ outcome: 'completed' })
  expect(budgetProblemsOf(storedRows(test))).toEqual([])
  expect(server.problems).toEqual([])
}

export async function sendWith(test: TestApp, text: string, files: readonly FileToSend[]): Promise<TurnEnded> {
  const { workspaceId } = test
  const attachments: AttachmentReference[] = []
  for (const file of files) attachments.push((await test.ask('attachment.add', { workspaceId, ...file })).attachment)
  const from = test.events.length
  await test.ask('turn.send', { workspaceId, text, attachments, mode: 'turn-end' })
  return lastEnd(test, from)
}

export interface FileToSend {
  readonly filename: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

export const setTo = (test: TestApp, setting: string, value: unknown): Promise<unknown> =>
  test.ask('settings.set', { path: setting, value })

export const noticesOf = ({ events }: TestApp): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []))

/** A pseudo-random text without a repeated word, so that it counts as text does. */
export const wordsOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${(index * 7_919) % 10_007}`).join(' ')
