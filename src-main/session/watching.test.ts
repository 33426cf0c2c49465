// Watchers that come at any moment of a busy conversation, shared with another process, see what there is: no gap, no
// duplicate, and in the end all the same (T-3).
import { describe, expect, it } from 'vitest'
import { isLong } from '../history/testing/long-form'
import { scriptedEntry } from '../provider/testing/provider-entries'
import { startScriptedServer } from '../provider/testing/scripted-server'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import { startTestApp } from '../testing/test-app'
import type { TestApp } from '../testing/test-app'
import { historyProblemsOf } from './testing/history-problems'
import { afterTicks, seededRandom } from './testing/random'
import { pictureOf, watchSession } from './testing/watcher'
import type { Watcher } from './testing/watcher'
import { closeAfterEach } from '../testing/close-after-each'

/** The short list holds rounds that found faults once. */
const ROUNDS = isLong ? Array.from({ length: 100 }, (_, round) => round) : [6, 12, 19, 24, 40, 58]
/** Kept under a page of rows, so that a last snapshot holds all of them. */
const ACTIONS_A_ROUND = 12

const toClose = closeAfterEach()

function anyAnswer(random: () => number): ScriptedTurn {
  const delivery = { pieceChars: 3, ...(random() < 0.5 ? { delayMs: 1 } : {}) }
  const words = random() < 0.9 ? { text: 'words and more '.repeat(1 + Math.floor(random() * 4)) } : {}
  const thinking = random() < 0.3 ? { thinking: 'Let me think about it.' } : {}
  const kind = random()
  if (kind < 0.2) return { ...words, delivery, toolCalls: [{ name: 'glob', input: { pattern: '*' } }] }
  if (kind < 0.3) {
    const items = [{ content: `step ${Math.floor(random() * 9)}`, status: 'pending' }]
    return { ...thinking, delivery, toolCalls: [{ name: 'todo', input: { items } }] }
  }
  if (kind < 0.4) return { ...words, delivery, toolCalls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
  if (kind < 0.5) return { ...words, delivery, fault: { kind: 'cut', afterEvents: Math.floor(random() * 12) } }
  return { ...thinking, ...words, delivery }
}

async function rig(random: () => number) {
  const server = await startScriptedServer({ turns: () => anyAnswer(random) })
  toClose.push(server)
  const providers = [scriptedEntry('anthropic', server.baseUrl)]
  const test = await startTestApp({ providers, model: 'anthropic:test-model' })
  toClose.push(test)
  const other = await startTestApp({ again: test, personPresent: false })
  toClose.push(other)
  return { server, test, other }
}

/** One thing that a person or another process may do at any time. */
async function act(random: () => number, test: TestApp, other: TestApp): Promise<unknown> {
  const { session, workspaceId } = test
  const kind = random()
  if (kind < 0.35) return test.send(`mine ${random()}`, random() < 0.5 ? 'tool-end' : 'turn-end')
  if (kind < 0.5) return other.send(`theirs ${random()}`)
  if (kind < 0.6) return session.interrupt()
  if (kind < 0.7) {
    const [question] = session.people.questions
    return question === undefined ? null : session.people.answerQuestion(question.questionId, 'That one.')
  }
  const [entry] = session.queue.entries
  if (kind < 0.8 && entry !== undefined) return session.queue.remove(entry.id)
  if (kind < 0.9 && entry !== undefined) return session.sendQueued(entry.id)
  return test.app.dispatch('turn.retry', { workspaceId })
}

async function quiet(test: TestApp): Promise<void> {
  await test.session.interrupt()
  for (const { id } of test.session.queue.entries) await test.session.queue.remove(id)
  await test.session.interrupt()
}

describe('T-3 watchers of one session', () => {
  it.each(ROUNDS)(
    'that come in round %i at any time see neither gap nor duplicate, and end with one picture',
    { timeout: 60_000 },
    async (round) => {
      const random = seededRandom(3_100 + round)
      const { server, test, other } = await rig(random)
      const watchers: Promise<Watcher>[] = [watchSession(test.session)]
      for (let action = 0; action < ACTIONS_A_ROUND; action++) {
        const acting = act(random, test, other)
        await afterTicks(Math.floor(random() * 12))
        watchers.push(watchSession(test.session))
        if (random() < 0.5) await acting
        if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 30))
      }
      await quiet(other)
      await quiet(test)
      await test.session.tellForeignRows()
      test.session.events.flush()
      const last = await test.session.snapshot()
      if (!last.ok) throw new Error(last.error.message)
      const truth = pictureOf(last.value)
      expect(historyProblemsOf(truth.rows)).toEqual([])
      expect(truth.rows).toEqual(await test.rows())
      for (const watcher of await Promise.all(watchers)) {
        expect(watcher.problems).toEqual([])
        expect(watcher.picture).toEqual(truth)
        watcher.stop()
      }
      expect(server.problems).toEqual([])
    }
  )
})
