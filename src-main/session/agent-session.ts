// Owns a workspace's turn and its order: one owner, one turn at a time, every way out ends in idle (T-1).
// It holds live handles and delegates: what a turn does is in run-turn, what it is made of in build-turn.
import { PAGE_ROWS, MAX_IPC_STRING_BYTES } from '@common/constants'
import type { SessionEvent } from '@common/contract/events'
import type {
  Notice,
  QueueEntry,
  SessionPhase,
  SessionSnapshot,
  SessionStatus,
  WorkspaceView
} from '@common/contract/views'
import type { Result } from '@common/result'
import { usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import type { ApprovalAnswer } from '@common/tools/approval'
import type { UsageView } from '@common/contract/views'
import { acquireOwnerLock } from '../files/owner-lock'
import { describeDamage } from '../history/damage-report'
import type { DamageReport } from '../history/damage-report'
import type { HistoryError } from '../history/history-error'
import { adoptImport } from './adopt-import'
import { bugEnd } from './bug-end'
import { buildTurn } from './build-turn'
import { inputRowOf, titleOf } from './input-row'
import { usageFromPage } from './last-usage'
import { LiveView } from './live-view'
import { People } from './people'
import { runTurn } from './run-turn'
import type { OpenedSession, SessionDeps } from './session-deps'
import { movePhase } from './session-phase'
import { toldLines } from './told-lines'
import { TurnEvents } from './turn-events'
import type { TurnEnd } from './turn-context'
import { turnLockedMessage } from './turn-locked'
import { workspaceViewOf } from './workspace-view'
import type { WorkspaceFile } from './workspace-file'

export class AgentSession {
  readonly events: TurnEvents
  readonly people: People
  /** Somebody looks at this workspace now: what it says is read at once. */
  watched = false
  readonly #deps: SessionDeps
  readonly #opened: OpenedSession
  readonly #live = new LiveView()
  #phase: SessionPhase = 'idle'
  #status: Omit<SessionStatus, 'phase'> = { turnStartedAtMs: null, retry: null, lastProblem: null }
  #usage: UsageView | null = null
  /** As it was told last: the file follows. */
  #todo: SessionSnapshot['todo']
  #notices: Notice[]
  #abort: AbortController | null = null
  /** The turn under way, and those that its queue brings; resolves in idle. */
  #turn: Promise<void> = Promise.resolve()
  #disposed = false
  /** Highest sequence told to watchers: what lies above it came from another process. */
  #toldSequence: number

  constructor(deps: SessionDeps, opened: OpenedSession) {
    this.#deps = deps
    this.#opened = opened
    this.#notices = [...opened.notices]
    this.#todo = opened.workspace.file.todo
    this.#toldSequence = opened.history.highestSequence
    this.events = new TurnEvents(deps.clock)
    this.people = new People({
      present: deps.personPresent,
      newId: deps.newId,
      publish: (event) => this.#publish(event)
    })
    opened.onQueueChange((queue) => this.#publish({ type: 'queue-changed', queue: [...queue] }))
  }

  get workspaceId(): string {
    return this.#opened.workspace.file.id
  }

  get busy(): boolean {
    return this.#phase !== 'idle'
  }

  get view(): WorkspaceView {
    return workspaceViewOf(this.#opened.workspace.file, {
      phase: this.#phase,
      waiting: this.people.waiting,
      projectReadable: this.#opened.projectReadable()
    })
  }

  /** Everything a watcher needs to start from, and the sequence after which events go on (T-3). */
  async snapshot(): Promise<Result<SessionSnapshot, { message: string }>> {
    await this.tellForeignRows()
    const draft = await this.#opened.drafts.read()
    for (;;) {
      const before = this.events.flush()
      const page = await this.#opened.history.page({ before: null, maxRows: PAGE_ROWS, maxBytes: MAX_IPC_STRING_BYTES })
      if (!page.ok) return page
      this.#tellDamage(page.value.damage)
      // Something was told while the page was read: take it again, so that page and sequence agree.
      const sequence = this.events.flush()
      if (sequence !== before) continue
      const { before: older, damage } = page.value
      const lines = toldLines(page.value.lines, this.#toldSequence)
      const value: SessionSnapshot = {
        workspace: this.view,
        sequence,
        page: { lines, before: older, skippedLines: damage.total },
        ...this.#live.snapshot(),
        status: { phase: this.#phase, ...this.#status },
        queue: [...this.#opened.queue.entries],
        approvals: this.people.approvals,
        questions: this.people.questions,
        todo: this.#todo,
        usage: this.#usageNow(lines),
        draft: draft.text,
        draftAttachments: draft.attachments,
        notices: this.#notices
      }
      return { ok: true, value }
    }
  }

  /** The meter: what this run measured, else what history says of the window in force. */
  #usageNow(newestLines: string): UsageView | null {
    const { model } = this.#opened.workspace.file
    const windowId = this.#opened.history.currentWindowId
    if (this.#usage?.model === model && this.#usage.windowId === windowId) return this.#usage
    const info = this.#deps.modelInfo(model)
    return info === null ? null : usageFromPage(newestLines, windowId, info)
  }

  /** Says once what a reader found damaged (H-3). */
  #tellDamage(report: DamageReport): void {
    const message = describeDamage(report)
    if (message === null || this.#notices.some((notice) => notice.message === message)) return
    this.notify('warning', message)
  }

  /** Takes a person's message: on disk first, then sent at once when idle, else in its turn (T-2). */
  async send(entry: QueueEntry): Promise<Result<'started' | 'queued', string>> {
    const queued = await this.#opened.queue.add(entry)
    if (!queued.ok) return queued
    const started = !this.busy
    this.#dispatchNext()
    return { ok: true, value: started ? 'started' : 'queued' }
  }

  /** Sends a held entry, or lets a waiting one go first. */
  async sendQueued(entryId: string): Promise<Result<void, string>> {
    const moved = await this.#opened.queue.move(entryId, 0)
    if (!moved.ok) return moved
    const freed = await this.#opened.queue.edit(entryId, { held: false, mode: 'tool-end' })
    if (freed.ok) this.#dispatchNext()
    return freed
  }

  get queue(): OpenedSession['queue'] {
    return this.#opened.queue
  }

  /** Goes on from the rows that are there, after a failure or an interrupt. False while busy. */
  retry(): boolean {
    if (this.busy || this.#disposed) return false
    this.#start(null)
    return true
  }

  /** Stops the turn; resolves when the session is idle and the history holds what was said. */
  async interrupt(): Promise<void> {
    this.#abort?.abort(new DOMException('The person stopped the turn.', 'AbortError'))
    await this.#turn
  }

  answerApproval(approvalId: string, answer: ApprovalAnswer): boolean {
    return this.people.answerApproval(approvalId, answer)
  }

  /** Changes what workspace.json keeps, then tells. */
  async update(change: Partial<WorkspaceFile>): Promise<Result<void, string>> {
    const saved = await this.#opened.workspace.update(change)
    if (saved.ok) this.#deps.onView(this.view)
    return saved
  }

  /** The stored line of one row; null when there is none. */
  rawLineOf(rowId: string): Promise<Result<string | null, { message: string }>> {
    return this.#opened.history.rawLineOf({ id: rowId })
  }

  get store(): OpenedSession['history'] {
    return this.#opened.history
  }

  get attachments(): OpenedSession['attachments'] {
    return this.#opened.attachments
  }

  get spill(): OpenedSession['spill'] {
    return this.#opened.spill
  }

  get drafts(): OpenedSession['drafts'] {
    return this.#opened.drafts
  }

  /** The workspace's folder. */
  get folder(): string {
    return this.#opened.paths.root
  }

  /** Takes over rows that an import wrote: counts them and gives the workspace its title. */
  async adoptImport(): Promise<void> {
    this.#toldSequence = this.#opened.history.highestSequence
    await adoptImport(this.#opened.history, this.#opened.workspace)
  }

  /** Tells rows that another process appended while nothing ran here. */
  async tellForeignRows(): Promise<void> {
    if (!this.busy) await this.#tellMissedRows()
  }

  /** Ends the turn, waits for the last append, gives the files up. */
  async dispose(): Promise<void> {
    this.#disposed = true
    await this.interrupt()
    await this.#saveUnstoredAtEnd()
    await this.#opened.queue.settled()
    await this.#opened.close()
    this.events.flush()
  }

  #dispatchNext(): void {
    if (this.busy || this.#disposed) return
    const entry = this.#opened.queue.next(false)
    if (entry !== null) this.#start(entry)
  }

  /** What waits behind a turn that ended. After one that went wrong only what came in since is not held. */
  #dispatchAfter(end: TurnEnd, isStopped: boolean): void {
    const isStepEnd = end.outcome === 'completed' && end.reason === 'queued_input'
    if (!isStepEnd || isStopped || this.#disposed) return this.#dispatchNext()
    // Null where the entry that the turn stopped for was taken back meanwhile: then the turn goes on.
    this.#start(this.#opened.queue.next(true))
  }

  #start(entry: QueueEntry | null): void {
    this.#move('preparing', { turnStartedAtMs: this.#deps.clock.now(), retry: null, lastProblem: null })
    this.#turn = this.#run(entry)
    // The list shows it while the first turn still runs; written again with how that turn ended.
    if (entry !== null && this.#opened.workspace.file.title === '') void this.update({ title: titleOf(entry) })
  }

  async #run(entry: QueueEntry | null): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    const end = await this.#runLocked(entry, abort.signal).catch((bug: unknown) =>
      bugEnd(bug, {
        log: this.#deps.log,
        workspaceId: this.workspaceId,
        windowId: this.#opened.history.currentWindowId
      })
    )
    await this.#settle(entry, end)
    // What waits behind a turn that went wrong or was stopped is the person's to send.
    if (end.outcome !== 'completed' || abort.signal.aborted) await this.#opened.queue.holdAll()
    this.#move('idle', { turnStartedAtMs: null, retry: null })
    this.#publish({ type: 'turn-ended', ...end, workspaceId: this.workspaceId })
    this.events.flush()
    this.#dispatchAfter(end, abort.signal.aborted)
  }

  async #runLocked(entry: QueueEntry | null, signal: AbortSignal): Promise<TurnEnd> {
    const { history, paths } = this.#opened
    const none = { windowId: history.currentWindowId, requests: 0 }
    const lock = await acquireOwnerLock(paths.turnLock, { waitMs: 0, clock: this.#deps.clock })
    if (!lock.ok) {
      const reason = lock.error.kind === 'held' ? 'turn_locked' : 'history'
      return { outcome: 'failed', reason, message: turnLockedMessage(lock.error), ...none }
    }
    try {
      const saved = await this.#saveUnstored()
      const recovered = saved.ok ? await history.recoverPartial() : saved
      if (!recovered.ok) return { outcome: 'failed', reason: 'history', message: recovered.error.message, ...none }
      await this.#tellMissedRows()
      // As it is now; another process may have sent it meanwhile, or the person took it back.
      const input = entry === null ? null : this.#opened.queue.find(entry.id)
      if (entry !== null && input === null) return { outcome: 'completed', reason: null, message: null, ...none }
      const turn = await buildTurn(this.#deps, this.#opened, {
        abortSignal: signal,
        people: this.people,
        publish: (event) => this.#publish(event),
        onDamage: (report) => this.#tellDamage(report),
        onStreaming: () => this.#move('streaming', {}),
        onRetry: (retry) => this.#move(this.#phase, { retry })
      })
      if (!turn.ok) return { outcome: 'failed', ...turn.error, ...none }
      try {
        return await runTurn(turn.value, { input: input === null ? null : inputRowOf(input, this.#deps.clock.now()) })
      } finally {
        await turn.value.partial.stop()
      }
    } finally {
      lock.value.release()
    }
  }

  /** An answer that the disk refused is still told as live: it goes into partial.json, from where it is recovered. */
  async #saveUnstored(): Promise<Result<void, HistoryError>> {
    const { live } = this.#live.snapshot()
    return live === null ? { ok: true, value: undefined } : this.#opened.history.writePartial(live)
  }

  async #saveUnstoredAtEnd(): Promise<void> {
    if (this.#live.snapshot().live === null) return
    // Another process may stream into that file by now.
    const lock = await acquireOwnerLock(this.#opened.paths.turnLock, { waitMs: 0, clock: this.#deps.clock })
    if (!lock.ok) return
    const saved = await this.#saveUnstored()
    if (!saved.ok) this.#deps.log.error('answer-lost', { workspaceId: this.workspaceId, message: saved.error.message })
    lock.value.release()
  }

  /** Records how the turn ended: title, cost, what is still to be sent. */
  async #settle(entry: QueueEntry | null, end: TurnEnd): Promise<void> {
    if (this.#phase !== 'settling') this.#move('settling', {})
    const { workspace } = this.#opened
    if (end.outcome !== 'completed' && end.message !== null) {
      this.#status.lastProblem = { outcome: end.outcome, reason: end.reason, message: end.message }
    }
    const title = workspace.file.title === '' && entry !== null ? titleOf(entry) : workspace.file.title
    const saved = await workspace.update({ title, updatedAtMs: this.#deps.clock.now(), unread: !this.watched })
    if (!saved.ok) this.notify('warning', saved.error)
  }

  /** Tells something once, and keeps it for later watchers. */
  notify(level: Notice['level'], message: string): void {
    const notice: Notice = { id: this.#deps.newId(), level, message, atMs: this.#deps.clock.now() }
    this.#notices = [...this.#notices, notice]
    this.#publish({ type: 'notice', notice })
  }

  /** Rows that stand in history and were not told: another process's, or one that a crash left. */
  async #tellMissedRows(): Promise<void> {
    const rows = await this.#opened.history.rowsAfter(this.#toldSequence)
    if (!rows.ok) return
    for (const row of rows.value) {
      // Asked again for each: while the file was read, the row may have been told by whoever appended it.
      if ((row.metadata.historySequence ?? 0) > this.#toldSequence) this.#publish({ type: 'row-appended', row })
      if (this.#opened.queue.find(row.id) !== null) await this.#opened.queue.delivered(row.id)
    }
  }

  #move(phase: SessionPhase, status: Partial<Omit<SessionStatus, 'phase'>>): void {
    if (phase !== this.#phase) this.#phase = movePhase(this.#phase, phase)
    this.#status = { ...this.#status, ...status }
    this.#publish({ type: 'status-changed', status: { phase: this.#phase, ...this.#status } })
    this.#deps.onView(this.view)
  }

  #publish(event: SessionEvent): void {
    this.#live.apply(event)
    if (event.type === 'row-appended') this.#countRow(event.row)
    if (event.type === 'usage') this.#usage = event.view
    if (event.type === 'todo-changed') this.#keepTodo(event.todo)
    this.events.emit(event)
    if (event.type === 'approvals-changed' || event.type === 'questions-changed') this.#deps.onView(this.view)
  }

  #keepTodo(todo: SessionSnapshot['todo']): void {
    this.#todo = todo
    void this.update({ todo })
  }

  #countRow(row: Row): void {
    this.#toldSequence = Math.max(this.#toldSequence, row.metadata.historySequence ?? 0)
    this.#opened.workspace.countRow(row)
    // The figures of a row that starts a turn are saved now: a crash in the turn must not lose them.
    if (usesOf(row).startsTurn) void this.#opened.workspace.update({})
  }
}
