// Proves what single events do to the picture of a workspace (U-4, U-6).
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@common/contract/events'
import type { UsageView } from '@common/contract/views'
import { rowSource } from '../testing/row-builders'
import { applyEvent } from './apply-event'
import { IDLE_STATUS, openingSession, type SessionState } from './session-state'

const USAGE: UsageView = {
  windowId: 'w:0',
  model: 'demo:tide-1',
  contextTokens: 18_000,
  maxTokens: 24_000,
  hardCeiling: 22_000,
  rolloverPoint: 18_000,
  warningPoint: 11_856,
  atEnd: 'rolls over',
  estimated: false,
  lastUsage: null
}
const source = rowSource()
const full: SessionState = { ...openingSession('ws-1'), usage: USAGE }

describe('U-6 the meter', () => {
  it('is empty from a boundary on until the next usage', () => {
    for (const row of [source.boundary('rollover'), source.boundary('reset'), source.compaction('Done so far.')]) {
      const begun = applyEvent(full, { type: 'row-appended', row })
      expect(begun.usage).toBeNull()
      const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
      const told = { type: 'usage', requestSequence: 2, usage, contextTokens: 1, maxTokens: 24_000 } as const
      expect(applyEvent(begun, { ...told, view: { ...USAGE, contextTokens: 1 } }).usage?.contextTokens).toBe(1)
    }
    expect(applyEvent(full, { type: 'row-appended', row: source.person('Go on') }).usage).toBe(USAGE)
  })
})

describe('U-4 a turn that stopped for its window', () => {
  const ended = (continues: boolean): SessionEvent => ({
    type: 'turn-ended',
    outcome: 'completed',
    reason: 'budget_rollover',
    message: null,
    workspaceId: 'ws-1',
    windowId: 'w:0',
    requests: 1,
    continues
  })

  it('is never seen idle where the next turn follows by itself', () => {
    const idle = applyEvent(full, { type: 'status-changed', status: IDLE_STATUS })
    expect(applyEvent(idle, ended(true)).status.phase).toBe('preparing')
    expect(applyEvent(idle, ended(false))).toBe(idle)
  })
})
