// K-1, F-11 over a long window: after a compaction every request begins with the very messages of the one before it,
// whatever happens to plan, to-do list and files in between; thoughts go back unchanged; every request can be rebuilt.
import { afterEach, expect, it } from 'vitest'
import { envelopesOf, replayOf } from '../context/testing/replay-of'
import type { RequestEnvelope } from '../context/request-log-lines'
import type { ScriptedTurn } from '../provider/testing/scripted-turn'
import type { TestApp } from '../testing/test-app'
import { compactionRig, type CompactionRig, edit, SAID, todo, write } from './testing/compaction-rig'
import { seededRandom } from './testing/random'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const TURNS = 50
/** In the middle of the window the provider finds a request too long, once. */
const OVERFLOWS_AT = 25

type Step = (rig: CompactionRig, turn: number) => Promise<readonly ScriptedTurn[]>

const thinking = (turn: number, more: ScriptedTurn): ScriptedTurn => ({ thinking: `Thought ${turn}.`, ...more })
const says = (turn: number): ScriptedTurn => thinking(turn, { text: `Answer ${turn}.` })

/** What may come before a turn, and what the model does in it. */
const STEPS: readonly Step[] = [
  async (_, turn) => [says(turn)],
  async (rig, turn) => {
    rig.writePlan(`# Plan of turn ${turn}\n`)
    return [says(turn)]
  },
  async (_, turn) => [thinking(turn, { toolCalls: [todo(`of turn ${turn}`)] }), says(turn)],
  async (_, turn) => [
    thinking(turn, { toolCalls: [write(`f${turn}.txt`, 'one\n')] }),
    thinking(turn, { toolCalls: [edit(`f${turn}.txt`, 'one', 'two')] }),
    says(turn)
  ],
  async (rig, turn) => {
    const { workspaceId } = rig.test
    await rig.test.ask('context.setCarryOver', { workspaceId, itemId: 'plan', isOn: turn % 2 === 0 })
    return [says(turn)]
  },
  async (rig, turn) => {
    await rig.restart()
    return [says(turn)]
  },
  async (rig, turn) => {
    const { workspaceId } = rig.test
    const { workspace } = await rig.test.ask('row.fork', { workspaceId, rowId: null })
    await rig.restart(workspace)
    return [says(turn)]
  }
]

interface Sent {
  readonly envelope: RequestEnvelope
  readonly hashes: readonly string[]
}

/** Every request of a workspace with all hashes of its messages. */
function sentBy(place: Pick<TestApp, 'home' | 'workspaceId'>): Sent[] {
  const sent: Sent[] = []
  for (const envelope of envelopesOf(place)) {
    const { shared, added } = envelope.messages
    const before = sent.at(-1)?.hashes.slice(0, shared) ?? []
    sent.push({ envelope, hashes: [...before, ...added.map(({ sha256 }) => sha256)] })
  }
  return sent
}

it.each([50_101, 50_102, 50_103])('K-1 K-4 L-4 the prefix never changes over 50 turns (seed %i)', async (seed) => {
  const random = seededRandom(seed)
  const rig = await compactionRig(cleanUps)
  const { server } = rig
  rig.writePlan('# Plan A\n1. Tests\n')
  await rig.work(SAID, thinking(0, { toolCalls: [todo('one', 'two'), write('first.txt', 'x\n')] }), says(0))
  await rig.compact()
  const places = [{ home: rig.test.home, workspaceId: rig.test.workspaceId }]
  const header = await rig.header()
  expect(header?.text).toMatch(/# Plan A.*first\.txt.*one/s)
  for (let turn = 1; turn <= TURNS; turn++) {
    const step = STEPS[Math.floor(random() * STEPS.length)]
    const answers = (await step?.(rig, turn)) ?? []
    const { workspaceId } = rig.test
    if (places.at(-1)?.workspaceId !== workspaceId) places.push({ home: rig.test.home, workspaceId })
    const overflow: ScriptedTurn[] = turn === OVERFLOWS_AT ? [{ fault: { kind: 'context-exceeded' } }] : []
    const end = await rig.work(`Message ${turn}.`, ...overflow, ...answers)
    expect(end).toMatchObject({ outcome: 'completed' })
  }
  const { omittedFromRequest, ...kept } = (await rig.header()) ?? {}
  expect(kept).toEqual(header)
  // A fork's log begins with its own first request; the requests of all of them, in order, are the window's.
  const sent = places.flatMap(sentBy).filter(({ envelope }) => envelope.kind === 'turn' && envelope.requestSequence > 3)
  expect(sent.length).toBeGreaterThan(TURNS)
  expect(sent.map(({ envelope }) => envelope.requestSequence)).toEqual(sent.map((_, index) => index + 4))
  const broken = sent.filter(({ hashes }, index) => {
    const before = sent[index - 1]?.hashes ?? []
    return before.some((hash, at) => hashes[at] !== hash)
  })
  // The one request that left the context out, and nothing but its first message is another.
  expect(broken.map(({ envelope }) => envelope.requestSequence)).toEqual([omittedFromRequest])
  const at = sent.findIndex((each) => each === broken[0])
  expect(sent[at]?.hashes.slice(1)).toEqual(sent[at - 1]?.hashes.slice(1))
  for (const place of places) expect((await replayOf(place)).summary).toMatchObject({ differing: 0, damagedLines: 0 })
  expect(server.problems).toEqual([])
})
