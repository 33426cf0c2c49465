// Owns small builders of rows, snapshots and workspaces for tests and stories.
import type { SessionSnapshot, WorkspaceView } from '@common/contract/views'
import { isBoundary } from '@common/rows/boundaries'
import type { Row, RowPart } from '@common/rows/row-schema'
import { IDLE_STATUS } from '../store/session-state'

/** The moment at which stories take place: ages are told from now. */
export const STORY_NOW_MS = Date.now()

export function textRow(id: string, role: 'user' | 'assistant', text: string, sequence?: number): Row {
  return rowOf(id, role, [{ type: 'text', text }], sequence)
}

export function rowOf(id: string, role: 'user' | 'assistant', parts: RowPart[], sequence?: number): Row {
  return {
    id,
    role,
    parts,
    metadata: {
      timestamp: STORY_NOW_MS - 60_000 + (sequence ?? 0) * 1_000,
      ...(sequence === undefined ? {} : { historySequence: sequence })
    }
  }
}

/** Where windows begin, as main says it of such a history. */
export function windowStartsOf(rows: readonly Row[]): number[] {
  const begun = rows.filter(isBoundary).flatMap((row) => row.metadata.historySequence ?? [])
  const [first] = rows
  return first !== undefined && isBoundary(first) ? begun : [0, ...begun]
}

/** JSONL as a page ships it. */
export function linesOf(rows: readonly Row[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

export function workspaceView(changes: Partial<WorkspaceView> = {}): WorkspaceView {
  return {
    workspaceId: 'ws-1',
    title: 'Fix the receipts',
    projectId: 'p-1',
    projectPath: '/home/ada/code/tidemark',
    projectReadable: true,
    model: 'demo:tide-1',
    agentId: 'exec',
    approvalMode: 'ask',
    thinkingLevel: 'off',
    archived: false,
    createdAtMs: STORY_NOW_MS - 3_600_000,
    updatedAtMs: STORY_NOW_MS - 120_000,
    rows: 0,
    costUsd: 0,
    costIncomplete: false,
    phase: 'idle',
    waiting: false,
    unread: false,
    ...changes
  }
}

export function snapshotOf(changes: Partial<SessionSnapshot> = {}, rows: readonly Row[] = []): SessionSnapshot {
  return {
    workspace: workspaceView(),
    sequence: 0,
    page: { lines: linesOf(rows), before: null, skippedLines: 0 },
    windowStarts: windowStartsOf(rows),
    live: null,
    toolOutputs: {},
    status: IDLE_STATUS,
    queue: [],
    approvals: [],
    questions: [],
    todo: [],
    usage: null,
    draft: '',
    notices: [],
    ...changes
  }
}
