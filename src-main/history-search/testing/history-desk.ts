// Owns short ways to search and read a history in a test: windows written by hand, calls as an agent makes them, and
// chains of calls that follow every cursor.
import { mkdirSync, writeFileSync } from 'node:fs'
import { HISTORY_RESULT_BYTES, MAX_HISTORY_CURSOR_CHARS } from '@common/constants'
import type { NewRow } from '@common/rows/row-schema'
import type {
  HistoryFailure,
  HistoryHit,
  HistoryItem,
  HistoryWindow,
  SessionHistoryOutput
} from '@common/tools/session-history-contract'
import { type FileSystem, nodeFileSystem } from '../../files/file-system'
import { silentLog } from '../../files/log'
import { type HistoryReader, historyReaderOf } from '../../history/history-reader'
import { tempWorkspace, testClock, type TempWorkspace } from '../../history/testing/temp-workspace'
import { HistoryBrowser } from '../history-browser'
import type { Viewer } from '../item-rules'
import { callSessionHistory } from '../session-history'

export const TEST_KEY = new Uint8Array(32).fill(7)

export type Line = string | NewRow

/** An answer with every field that some action gives; a failure has `error`. */
export type Answer = Partial<HistoryFailure> & {
  readonly windows: readonly HistoryWindow[]
  readonly items: readonly HistoryHit[]
  readonly item: HistoryItem | null
  readonly cursor: string | null
  readonly exhausted: boolean
  readonly skipped_oversized_rows: number
}

export class HistoryDesk {
  readonly workspace: TempWorkspace
  readonly browser: HistoryBrowser

  constructor(workspace: TempWorkspace, browser: HistoryBrowser) {
    this.workspace = workspace
    this.browser = browser
  }

  /** Replaces window files; a line is text as it is, or a row. */
  write(windows: Readonly<Record<number, readonly Line[]>>): void {
    mkdirSync(this.workspace.path('windows'), { recursive: true })
    for (const [window, lines] of Object.entries(windows))
      writeFileSync(
        this.workspace.path('windows', `w-${window}.jsonl`),
        lines.map((line) => `${textOf(line)}\n`).join('')
      )
  }

  async call(input: Readonly<Record<string, unknown>>, viewer: Viewer = 'agent'): Promise<Answer> {
    const answer = await callSessionHistory(this.browser, input, viewer)
    const value: SessionHistoryOutput | HistoryFailure = answer.ok ? answer.value : answer.error
    if (Buffer.byteLength(JSON.stringify(value)) > HISTORY_RESULT_BYTES) throw new Error('over the cap')
    if (answer.ok && (answer.value.cursor?.length ?? 0) > MAX_HISTORY_CURSOR_CHARS) throw new Error('a long cursor')
    return { windows: [], items: [], item: null, cursor: null, exhausted: false, skipped_oversized_rows: 0, ...value }
  }

  search(query: string, more: Readonly<Record<string, unknown>> = {}, viewer: Viewer = 'agent'): Promise<Answer> {
    return this.call({ action: 'search', query, ...more }, viewer)
  }

  /** Every page of a search. */
  async searchAll(
    query: string,
    more: Readonly<Record<string, unknown>> = {},
    viewer: Viewer = 'agent'
  ): Promise<{ hits: HistoryHit[]; skipped: number; calls: number }> {
    const hits: HistoryHit[] = []
    let [skipped, calls] = [0, 0]
    let cursor: string | null = null
    do {
      const page: Answer = await this.search(query, { ...more, ...(cursor === null ? {} : { cursor }) }, viewer)
      if (page.error !== undefined) throw new Error(`${page.error}: ${page.message}`)
      if (page.exhausted !== (page.cursor === null)) throw new Error('exhausted and a cursor do not go together')
      hits.push(...page.items)
      skipped += page.skipped_oversized_rows
      cursor = page.cursor
      calls++
    } while (cursor !== null)
    return { hits, skipped, calls }
  }

  /** Every page of the list. */
  async listAll(more: Readonly<Record<string, unknown>> = {}, viewer: Viewer = 'agent'): Promise<HistoryWindow[]> {
    const windows: HistoryWindow[] = []
    let cursor: string | null = null
    do {
      const page: Answer = await this.call(
        { action: 'list_windows', ...more, ...(cursor === null ? {} : { cursor }) },
        viewer
      )
      if (page.error !== undefined) throw new Error(`${page.error}: ${page.message}`)
      windows.push(...page.windows)
      cursor = page.cursor
    } while (cursor !== null)
    return windows
  }

  read(itemId: string, more: Readonly<Record<string, unknown>> = {}, viewer: Viewer = 'agent'): Promise<Answer> {
    return this.call({ action: 'read_item', item_id: itemId, ...more }, viewer)
  }

  /** The whole text of an item, page by page. */
  async readAll(itemId: string, limitChars = 16_000, viewer: Viewer = 'agent'): Promise<string> {
    let text = ''
    let offset: number | null = 0
    let cursor: string | null = null
    while (offset !== null) {
      const page: Answer = await this.read(
        itemId,
        { offset_chars: offset, limit_chars: limitChars, ...(cursor === null ? {} : { cursor }) },
        viewer
      )
      if (page.error !== undefined) throw new Error(`${page.error}: ${page.message}`)
      cursor = page.cursor
      if (page.item === null) continue
      if (page.item.offset_chars !== offset) throw new Error('a page that begins elsewhere')
      text += page.item.text
      offset = page.item.next_offset_chars
    }
    return text
  }
}

/** A desk over files on disk that nobody holds open. */
export function newDesk(
  options: { fs?: FileSystem; workspace?: TempWorkspace; workspaceId?: string; reader?: HistoryReader } = {}
): HistoryDesk {
  const { fs = nodeFileSystem, workspace = tempWorkspace(), workspaceId = 'ws-1' } = options
  const reader =
    options.reader ?? historyReaderOf({ workspaceDir: workspace.dir, clock: testClock, log: silentLog, fs })
  const parts = { workspaceId, workspaceDir: workspace.dir, reader, fs, key: () => TEST_KEY }
  return new HistoryDesk(workspace, new HistoryBrowser(parts))
}

function textOf(line: Line): string {
  return typeof line === 'string' ? line : JSON.stringify(line)
}

/** A rollover's boundary row of the whole form. */
export function rollover(sequence: number | null, fields: Readonly<Record<string, unknown>> = {}): NewRow {
  return {
    id: `rollover-${sequence}`,
    role: 'assistant',
    parts: [],
    metadata: {
      synthetic: true,
      rolloverId: `r-${sequence}`,
      machine: {
        type: 'context-window-rollover',
        rolloverId: `r-${sequence}`,
        reason: 'on-send',
        previousWindowId: 'w:0',
        flushOpportunity: true,
        contextTokens: 18_000,
        maxTokens: 24_000,
        ...fields
      },
      contextBoundaryKind: 'reset',
      ...sequenced(sequence)
    }
  }
}

export function compaction(sequence: number | null, text = 'a summary'): NewRow {
  return {
    id: `summary-${sequence}`,
    role: 'assistant',
    parts: [{ type: 'text', text }],
    metadata: { contextBoundaryKind: 'compaction', ...sequenced(sequence) }
  }
}

export function reset(sequence: number | null, id = `reset-${sequence}`): NewRow {
  return { id, role: 'assistant', parts: [], metadata: { contextBoundaryKind: 'reset', ...sequenced(sequence) } }
}

/** What a person said; without a sequence where that is null. */
export function said(sequence: number | null, text: string, id = `said-${sequence}`): NewRow {
  return { id, role: 'user', parts: [{ type: 'text', text }], metadata: sequenced(sequence) }
}

export function answered(sequence: number | null, parts: NewRow['parts'], metadata: NewRow['metadata'] = {}): NewRow {
  return { id: `answer-${sequence}`, role: 'assistant', parts, metadata: { ...metadata, ...sequenced(sequence) } }
}

/** A machine row of this type. */
export function machine(sequence: number, type: string, text: string, metadata: NewRow['metadata'] = {}): NewRow {
  return {
    id: `machine-${sequence}`,
    role: 'user',
    parts: [{ type: 'text', text }],
    metadata: { synthetic: true, machine: { type }, ...metadata, ...sequenced(sequence) }
  }
}

function sequenced(sequence: number | null): NewRow['metadata'] {
  return sequence === null ? {} : { timestamp: 1_790_000_000_000 + sequence * 1_000, historySequence: sequence }
}
