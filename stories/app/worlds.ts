// Owns the worlds of the app's stories: each is one state that a person can meet.
import type { QueueEntry } from '@common/contract/views'
import {
  dailyWorld,
  freshWorld,
  project,
  type FakeWorld,
  type SessionSeed
} from '../../src-renderer/testing/fake-world'
import { rowOf, STORY_NOW_MS, textRow, workspaceView } from '../../src-renderer/testing/session-builders'
import { IDLE_STATUS } from '../../src-renderer/store/session-state'

export const CONVERSATION = [
  textRow('r1', 'user', 'The receipt is written twice when the app stops in the middle of an append. Find out why.', 1),
  rowOf(
    'r2',
    'assistant',
    [
      {
        type: 'text',
        text: 'I will read how the receipt is written, then look at what happens when the process ends.'
      },
      {
        type: 'dynamic-tool',
        toolCallId: 'c1',
        toolName: 'grep',
        state: 'output-available',
        input: { pattern: 'writeReceipt' },
        output: {
          matches: [{ path: 'src/history/append-rows.ts', line: 41, text: 'await writeReceipt(receipt)' }],
          total: 1,
          truncated: false
        },
        durationMs: 38
      },
      {
        type: 'text',
        text: 'The receipt is written **before** the rows are synced. A stop in between leaves a receipt for rows that are not there, and the next start writes it again.\n\n```ts\nawait appendLines(file, lines)\nawait file.datasync()\nawait writeReceipt(receipt)\n```\n\nThe order above is safe: the receipt follows the rows.'
      }
    ],
    2
  )
]

export const USAGE: NonNullable<NonNullable<SessionSeed['snapshot']>['usage']> = {
  windowId: 'w:0',
  model: 'anthropic:claude-sonnet-4-5',
  contextTokens: 61_840,
  maxTokens: 200_000,
  hardCeiling: 191_808,
  rolloverPoint: 150_000,
  warningPoint: 120_000,
  atEnd: 'rolls over',
  estimated: false,
  lastUsage: {
    inputTokens: 1_204,
    cacheReadTokens: 58_100,
    cacheWriteTokens: 2_536,
    outputTokens: 812,
    reasoningTokens: 0
  }
}

export const TODO: NonNullable<NonNullable<SessionSeed['snapshot']>['todo']> = [
  { content: 'Find where the receipt is written', status: 'completed' },
  { content: 'Write the rows before the receipt', status: 'in_progress' },
  { content: 'Cut the file at every byte in a test', status: 'pending' }
]

/** Daily use, with a conversation open. `snapshot` sets what else is going on. */
export function openWorld(
  snapshot: SessionSeed['snapshot'] = {},
  changes: Partial<FakeWorld> = {}
): Partial<FakeWorld> {
  return {
    ...dailyWorld(),
    sessions: { 'ws-1': { rows: CONVERSATION, snapshot: { usage: USAGE, todo: TODO, ...snapshot } } },
    ...changes
  }
}

/** A folder is open and its first workspace is empty. */
export function emptyWorld(changes: Partial<FakeWorld> = {}): Partial<FakeWorld> {
  return {
    ...freshWorld(),
    projects: [project()],
    workspaces: [workspaceView({ title: 'New workspace' })],
    openWorkspaceId: 'ws-1',
    ...changes
  }
}

export const RUNNING = { ...IDLE_STATUS, phase: 'streaming' as const, turnStartedAtMs: STORY_NOW_MS - 12_000 }

export function queued(id: string, text: string, changes: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id,
    text,
    attachments: [],
    mode: 'tool-end',
    source: 'person',
    held: false,
    queuedAtMs: STORY_NOW_MS,
    ...changes
  }
}
