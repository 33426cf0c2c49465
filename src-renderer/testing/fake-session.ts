// Owns one conversation behind the fake bridge: it keeps rows, numbers its events and answers by a script.
import type { SessionEvent, EventBatch } from '@common/contract/events'
import type { ParsedInput } from '@common/contract/requests'
import type { HistorySpan } from '@common/contract/search-views'
import type { QueueEntry, SessionSnapshot, WorkspaceView } from '@common/contract/views'
import type { RowEditAnswer, SendAnswer } from '@common/contract/window-views'
import { PAGE_ROWS } from '@common/constants'
import { isBoundary } from '@common/rows/boundaries'
import type { Row, RowPart } from '@common/rows/row-schema'
import { IDLE_STATUS } from '../store/session-state'
import type { SessionSeed } from './fake-world'
import { linesOf, rowOf, snapshotOf, STORY_NOW_MS, windowStartsOf } from './session-builders'

export class FakeSession {
  readonly #publish: (batch: EventBatch) => void
  readonly #changeWorkspace: (changes: Partial<WorkspaceView>) => void
  readonly #stepDelayMs: () => number
  #state: SessionSnapshot
  #rows: Row[]
  #generation = 0
  #ids = 0

  constructor(
    workspace: WorkspaceView,
    seed: SessionSeed,
    publish: (batch: EventBatch) => void,
    changeWorkspace: (changes: Partial<WorkspaceView>) => void,
    stepDelayMs: () => number
  ) {
    this.#rows = [...(seed.rows ?? [])]
    this.#state = { ...snapshotOf(seed.snapshot), workspace }
    this.#publish = publish
    this.#changeWorkspace = changeWorkspace
    this.#stepDelayMs = stepDelayMs
  }

  snapshot(workspace: WorkspaceView): SessionSnapshot {
    const page = this.page(String(this.#rows.length))
    return { ...this.#state, workspace, page, windowStarts: windowStartsOf(this.#rows) }
  }

  /** `before` is the index of the first row that was shipped. */
  page(before: string): SessionSnapshot['page'] {
    const end = Number(before)
    const from = Math.max(0, end - PAGE_ROWS)
    return { lines: linesOf(this.#rows.slice(from, end)), before: from === 0 ? null : String(from), skippedLines: 0 }
  }

  /** Half a page on each side of the row; null when it is gone. */
  pageAround(rowId: string, sequence: number | null): HistorySpan | null {
    const at = this.#rows.findIndex(
      (row) => row.id === rowId && (sequence === null || row.metadata.historySequence === sequence)
    )
    return at === -1 ? null : this.#span(Math.max(0, at - PAGE_ROWS / 2), at + PAGE_ROWS / 2)
  }

  /** `after` is the index of the first row that was not shipped. */
  pageAfter(after: string): HistorySpan {
    return this.#span(Number(after), Number(after) + PAGE_ROWS)
  }

  #span(from: number, to: number): HistorySpan {
    return {
      lines: linesOf(this.#rows.slice(from, to)),
      before: from === 0 ? null : String(from),
      after: to < this.#rows.length ? String(to) : null,
      skippedLines: 0
    }
  }

  saveDraft(text: string, attachments: SessionSnapshot['draftAttachments']): void {
    this.#state = { ...this.#state, draft: text, draftAttachments: attachments }
  }

  /** Publishes events and takes into the snapshot what they change of it. */
  emit(...events: SessionEvent[]): void {
    for (const event of events) this.#remember(event)
    const firstSequence = this.#state.sequence + 1
    this.#state = { ...this.#state, sequence: this.#state.sequence + events.length }
    this.#publish({ channel: 'session', workspaceId: this.#state.workspace.workspaceId, firstSequence, events })
  }

  send(input: ParsedInput<'turn.send'>): SendAnswer {
    const entryId = this.#nextId('entry')
    const isClear = input.text.trim() === '/clear'
    if (isClear && input.confirmed !== true) {
      const { length: rows } = this.#rows
      const windows = windowStartsOf(this.#rows).length
      const message = `This cuts all ${rows} rows in ${windows} context windows. They are kept in cut-rows.jsonl.`
      return { accepted: 'needs-confirmation', rows, windows, message }
    }
    if (isClear) {
      this.clear(false)
      return { accepted: 'done', entryId }
    }
    if (this.#state.status.phase !== 'idle') {
      const { text, attachments, mode } = input
      const entry: QueueEntry = {
        id: entryId,
        text,
        attachments,
        mode,
        source: 'person',
        held: false,
        queuedAtMs: STORY_NOW_MS
      }
      this.emit({ type: 'queue-changed', queue: [...this.#state.queue, entry] })
      return { accepted: 'queued', entryId }
    }
    void this.#runTurn(input.text)
    return { accepted: 'started', entryId }
  }

  retry(): void {
    void this.#runTurn(null)
  }

  /** Cuts a row and all after it, and answers the new text. */
  edit({ rowId, text, confirmed }: ParsedInput<'row.edit'>): RowEditAnswer {
    const at = this.#rows.findIndex((row) => row.id === rowId)
    const cut = at === -1 ? [] : this.#rows.slice(at)
    const windows = cut.filter(isBoundary).length
    if (windows > 0 && confirmed !== true) {
      const message = `This cuts ${cut.length} rows and ${windows} later context windows.`
      return { kind: 'needs-confirmation', rows: cut.length, windows, message }
    }
    this.#keepRows((_row, index) => index < at)
    void this.#runTurn(text)
    return { kind: 'sent', accepted: 'started', entryId: this.#nextId('entry') }
  }

  deleteRow(rowId: string): void {
    this.#keepRows((row) => row.id !== rowId)
  }

  /** Answers the rows that were cut. */
  clear(soft: boolean): number {
    const cut = soft ? 0 : this.#rows.length
    if (!soft) this.#keepRows(() => false)
    else {
      const reset = rowOf(this.#nextId('reset'), 'assistant', [], this.#rows.length + 1)
      this.emit({
        type: 'row-appended',
        row: { ...reset, metadata: { ...reset.metadata, contextBoundaryKind: 'reset' } }
      })
    }
    return cut
  }

  get rows(): readonly Row[] {
    return this.#rows
  }

  #keepRows(isKept: (row: Row, index: number) => boolean): void {
    this.#rows = this.#rows.filter(isKept)
    this.emit({ type: 'history-rewritten' })
    this.#changeWorkspace({ rows: this.#rows.length })
  }

  interrupt(): void {
    this.#generation += 1
    const live = this.#state.live
    if (live !== null)
      this.emit({ type: 'row-appended', row: { ...live, metadata: { ...live.metadata, interrupted: true } } })
    this.#end()
  }

  changeQueue(to: (queue: QueueEntry[]) => QueueEntry[]): void {
    this.emit({ type: 'queue-changed', queue: to(this.#state.queue) })
  }

  sendQueued(entryId: string): void {
    const entry = this.#state.queue.find((each) => each.id === entryId)
    if (entry === undefined) return
    this.changeQueue((queue) => queue.filter((each) => each.id !== entryId))
    if (this.#state.status.phase === 'idle') void this.#runTurn(entry.text)
  }

  answerApproval(approvalId: string): void {
    this.emit({
      type: 'approvals-changed',
      approvals: this.#state.approvals.filter((each) => each.approvalId !== approvalId)
    })
  }

  answerQuestion(questionId: string): void {
    this.emit({
      type: 'questions-changed',
      questions: this.#state.questions.filter((each) => each.questionId !== questionId)
    })
  }

  #remember(event: SessionEvent): void {
    const set = (changes: Partial<SessionSnapshot>) => (this.#state = { ...this.#state, ...changes })
    if (event.type === 'row-appended') {
      this.#rows = [...this.#rows, event.row]
      set({ live: null })
    } else if (event.type === 'live-started') set({ live: event.row })
    else if (event.type === 'status-changed') set({ status: event.status })
    else if (event.type === 'queue-changed') set({ queue: event.queue })
    else if (event.type === 'approvals-changed') set({ approvals: event.approvals })
    else if (event.type === 'questions-changed') set({ questions: event.questions })
    else if (event.type === 'todo-changed') set({ todo: event.todo })
    else if (event.type === 'usage') set({ usage: event.view })
    else if (event.type === 'part-set' && this.#state.live !== null)
      set({ live: { ...this.#state.live, parts: partsWith(this.#state.live.parts, event.partIndex, event.part) } })
    else if (event.type === 'text-delta' && this.#state.live !== null) {
      const old = this.#state.live.parts[event.partIndex]
      const part = { type: 'text', text: (old && 'text' in old ? String(old['text']) : '') + event.text }
      set({ live: { ...this.#state.live, parts: partsWith(this.#state.live.parts, event.partIndex, part) } })
    }
  }

  async #runTurn(text: string | null): Promise<void> {
    const generation = ++this.#generation
    if (text !== null) {
      const row = rowOf(this.#nextId('user'), 'user', [{ type: 'text', text }], this.#rows.length + 1)
      this.emit({ type: 'row-appended', row })
      if (this.#rows.length === 1) this.#changeWorkspace({ title: text.split('\n')[0]?.slice(0, 80) ?? text })
    }
    const live = rowOf(this.#nextId('answer'), 'assistant', [], this.#rows.length + 1)
    this.#phase('preparing')
    const steps: SessionEvent[][] = [
      [{ type: 'live-started', row: live }],
      ...words(
        `I looked at the project. It has a README and ${this.#rows.length} messages so far. Ask me to read a file next.`
      ).map((word): SessionEvent[] => [{ type: 'text-delta', rowId: live.id, partIndex: 0, text: word }])
    ]
    for (const [index, events] of steps.entries()) {
      await new Promise((resolve) => setTimeout(resolve, this.#stepDelayMs()))
      if (generation !== this.#generation) return
      if (index === 0) this.#phase('streaming')
      this.emit(...events)
    }
    if (this.#state.live !== null) this.emit({ type: 'row-appended', row: this.#state.live })
    this.#end()
    const next = this.#state.queue.find((each) => !each.held)
    if (next !== undefined) this.sendQueued(next.id)
  }

  #phase(phase: 'preparing' | 'streaming'): void {
    this.emit({ type: 'status-changed', status: { ...IDLE_STATUS, phase, turnStartedAtMs: Date.now() } })
    this.#changeWorkspace({ phase })
  }

  #end(): void {
    this.emit({ type: 'status-changed', status: IDLE_STATUS })
    this.#changeWorkspace({ phase: 'idle', rows: this.#rows.length })
  }

  #nextId(prefix: string): string {
    this.#ids += 1
    return `${prefix}-${this.#state.workspace.workspaceId}-${this.#ids}`
  }
}

function words(text: string): string[] {
  return text.split(/(?<= )/)
}

function partsWith(parts: readonly RowPart[], index: number, part: RowPart): RowPart[] {
  return index < parts.length ? parts.with(index, part) : [...parts, part]
}
