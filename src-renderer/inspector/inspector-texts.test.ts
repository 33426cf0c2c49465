import { expect, it } from 'vitest'
import { fakeLedger, fakeRequest } from '../testing/fake-inspector'
import { joinedRequests } from './joined-requests'
import {
  differenceText,
  elsewhereUsd,
  figuresText,
  kindText,
  lineCostText,
  outcomeText,
  priceText,
  sectionsText,
  windowText
} from './inspector-texts'

it('V-3 says what a request took, or how it ended where nobody counted', () => {
  const usage = { fresh: 200, cached: 9_000, written: 800, output: 41 }
  expect(figuresText(fakeRequest(2, { usage, hitShare: 0.9 }))).toBe('10k in · 90 % cached · 41 out')
  expect(figuresText(fakeRequest(2, { usage: null, hitShare: null, outcome: 'interrupted' }))).toBe('stopped')
  expect(outcomeText({ outcome: 'failed', failure: 'rate-limit' })).toBe('failed: rate limit')
  expect(kindText({ kind: 'compaction', attempt: 2 })).toBe('Summary, retry 2')
  expect(priceText(null)).toBe('not known')
  expect(differenceText(1, 2, 0)).toBe('1 message shared, 2 added')
})

it('V-3 joins the newest page to what is known, unless something between them is missing', () => {
  const of = (...sequences: number[]) => sequences.map((sequence) => fakeRequest(sequence))
  const numbers = (requests: ReturnType<typeof joinedRequests>) =>
    requests?.map(({ requestSequence }) => requestSequence) ?? null
  expect(numbers(joinedRequests(of(6, 5, 4), of(5, 4, 3, 2)))).toEqual([6, 5, 4, 3, 2])
  expect(numbers(joinedRequests(of(9, 8, 7), of(5, 4)))).toBeNull()
  expect(numbers(joinedRequests(of(), of(5, 4)))).toBeNull()
})

it('V-3 says what of the input was system, tools, messages and results', () => {
  expect(sectionsText({ system: 1_200, tools: 300, messages: 5, toolResults: 0 })).toBe(
    'Input, divided by bytes: system 1,200 · tools 300 · messages 5'
  )
})

it('V-3 names a window by its number, and one that was cut by its id', () => {
  const window = {
    kind: 'root' as const,
    rows: 1,
    bytes: 1,
    firstSequence: 1,
    lastSequence: 1,
    startedAtMs: 1,
    current: true
  }
  expect(windowText([{ ...window, windowId: 'w:0' }], 'w:0')).toBe('Window 1')
  expect(windowText([], 'w:9')).toBe('Cut window w:9')
})

it('V-3 tells what no row accounts for, and that a sum is partial', () => {
  const ledger = fakeLedger()
  expect(elsewhereUsd(ledger)).toBeNull()
  expect(elsewhereUsd({ ...ledger, workspaceUsd: 0.5 })).toBeCloseTo(0.09)
  expect(lineCostText({ costUsd: 0.2, unpriced: 1 })).toBe('at least $0.20')
  expect(lineCostText({ costUsd: 0, unpriced: 1 })).toBe('not known')
})
