// `npm run bench -- rollover [--quick]`: from an accepted preparation to the appended batch, without a model call, beside
// the same append alone (F-10); and what the decision before it costs. Writes bench/results/rollover.json.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgetPointsOf } from '../src-common/budget/budget-points'
import { invalidate } from '../src-common/budget/usage-ledger'
import type { NewRow } from '../src-common/rows/row-schema'
import type { BeforeSend, SendDecision } from '../src-main/context/context-strategy'
import { prepareRequest, type TurnSettings } from '../src-main/context/prepare-request'
import { tokenBudgetStrategy } from '../src-main/context/token-budget-strategy'
import { silentLog } from '../src-main/files/log'
import { systemClock } from '../src-main/files/system-clock'
import { openHistory } from '../src-main/history/history-store'
import { admitSend, type Admitting } from '../src-main/session/admit-send'
import { BudgetLatch } from '../src-main/session/budget-latch'
import { measureInterleaved, medianOf } from './support/measure'
import { type Figure, report, told } from './support/report'

const isQuick = process.argv.includes('--quick')
const ROUNDS = isQuick ? 60 : 300
/** F-10: what a rollover may take over its append. */
const BAR_MS = 5

const LIMITS = { contextLimit: 200_000, maxOutputTokens: 16_000 }
const SETTINGS: TurnSettings = {
  modelRef: 'anthropic:some-model',
  limits: LIMITS,
  providerOptions: {},
  supportsCacheMarks: true,
  systemText: 'You are a careful engineer. '.repeat(300),
  tools: [],
  deferredTools: [],
  loadAttachment: async () => null,
  countTokens: async () => ({ kind: 'failed', message: 'Nothing here is large enough to be counted.' })
}

let ids = 0
const newId = (): string => `row-${++ids}`

function person(): NewRow {
  return {
    id: newId(),
    role: 'user',
    parts: [{ type: 'text', text: 'Go on with the parser. '.repeat(20) }],
    metadata: {}
  }
}

/** The moment at which a window of measured usage is over its rollover point. */
function fullWindow(windowId: string): BeforeSend {
  const ledger = { ...invalidate(windowId, SETTINGS.modelRef), measuredTokens: 160_000, measuredAtSequence: 1 }
  const prepare: BeforeSend['prepare'] = (rows) => prepareRequest(rows, SETTINGS)
  return {
    windowId,
    windowRows: [person(), { id: newId(), role: 'assistant', parts: [], metadata: {} }],
    input: person(),
    company: [],
    model: SETTINGS.modelRef,
    limits: LIMITS,
    points: budgetPointsOf(LIMITS, 0.7),
    ledger,
    pending: null,
    handling: 'open',
    mayWriteNotes: true,
    nowMs: Date.now(),
    newId,
    prepare,
    count: async ({ tokensAtMost }) => tokensAtMost,
    countRows: async () => 100,
    freshWindow: async () => ({ notesCarried: true, prepare }),
    recovery: async () => ({ kind: 'possible' })
  }
}

type Rollover = Extract<SendDecision, { kind: 'rollover' }>

async function decideRollover(windowId: string): Promise<Rollover> {
  const decision = await tokenBudgetStrategy.beforeSend(fullWindow(windowId))
  if (decision.kind !== 'rollover') throw new Error(`The window should have rolled over: ${decision.kind}`)
  return decision
}

async function bench(folder: string): Promise<Figure[]> {
  const opened = await openHistory({ workspaceDir: folder, clock: systemClock, log: silentLog, durability: 'sync' })
  if (!opened.ok) throw new Error(opened.error.message)
  const history = opened.value
  const first = await history.appendMany([person()])
  if (!first.ok) throw new Error(first.error.message)
  const admitting: Admitting = {
    history,
    latch: new BudgetLatch(),
    publish() {},
    resetContext() {},
    inputStored: async () => undefined
  }
  let decision = await decideRollover(history.currentWindowId)
  const next = async (): Promise<void> => {
    decision = await decideRollover(history.currentWindowId)
  }
  const appended = async (rows: readonly NewRow[]): Promise<void> => {
    const answer = await history.appendMany(rows)
    if (!answer.ok) throw new Error(answer.error.message)
  }
  const times = await measureInterleaved(
    [
      {
        name: 'rollover',
        before: next,
        async run() {
          const stored = await admitSend(admitting, decision, { input: decision.rows.at(-1) ?? null, fresh: null })
          if (stored.kind === 'failed') throw new Error(stored.error.message)
        }
      },
      { name: 'append', before: next, run: () => appended(decision.rows) },
      { name: 'decision', run: () => decideRollover(history.currentWindowId) }
    ],
    ROUNDS
  )
  await history.close()
  const [rollover, append] = [medianOf(times, 'rollover'), medianOf(times, 'append')]
  const over = rollover - append
  return [
    {
      id: 'F-10',
      what: 'a rollover from its accepted preparation to the appended batch, over the same append alone',
      value: over,
      unit: ' ms',
      bar: `≤ ${BAR_MS} ms`,
      holds: over <= BAR_MS,
      details: { 'rollover ms': rollover, 'append ms': append }
    },
    told({
      id: 'F-10',
      what: 'the decision and the prepared fresh request before it',
      value: medianOf(times, 'decision'),
      unit: ' ms'
    })
  ]
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    report('rollover', isQuick, await bench(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

void main()
