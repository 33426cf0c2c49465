// Owns a workspace's turn and its order: one owner, one turn at a time, every way out ends in idle (T-1).
// It holds live handles and delegates: what a turn does is in run-turn, what it is made of in build-turn.
import type { SessionEvent } from '@common/contract/events'
import type {
  Notice,
  QueueEntry,
  SessionPhase,
  SessionSnapshot,
  SessionStatus,
  UsageView,
  WorkspaceView
} from '@common/contract/views'
import type { Result } from '@common/result'
import { usesOf } from '@common/rows/row-kinds'
import type { Row } from '@common/rows/row-schema'
import type { CompactionWish } from '../compaction/compaction-request'
import { describeDamage } from '../history/damage-report'
import type { CutSummary } from '../history/history-error'
import { adoptImport } from './adopt-import'
import { afterCut } from './after-cut'
import { bugEnd } from './bug-end'
import { BudgetLatch } from './budget-latch'
import { titleOf } from './input-row'
import { LiveView } from './live-view'
import { type NotOwner, notOwnerFailure, owningTurn } from './owning-turn'
import { People } from './people'
import { isContinuing, prepareNext } from './next-entry'
import { runWork, type Work } from './run-work'
import { clearHistory, EDIT_BESIDE_TURN, type EditResult, type EditSurroundings } from './session-edits'
import type { OpenedSession, SessionDeps } from './session-deps'
import { movePhase } from './session-phase'
import { parseSlashCommand } from './slash-commands'
import { SessionNotices } from './session-notices'
import { snapshotOf } from './session-snapshot'
import { ToldHistory } from './told-history'
import { TurnEvents } from './turn-events'
import type { TurnEnd } from './turn-context'
import { saveUnstoredAtEnd } from './unstored-answer'
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
  readonly #latch = new BudgetLatch()
  #phase: SessionPhase = 'idle'
  #status: Omit<SessionStatus, 'phase'> = { turnStartedAtMs: null, retry: null, lastProblem: null }
  #usage: UsageView | null = null
  /** As it was told last: the file follows. */
  #todo: SessionSnapshot['todo']
  readonly #notices: SessionNotices
  #abort: AbortController | null = null
  /** The turn under way, and those that its queue brings; resolves in idle. */
  #turn: Promise<void> = Promise.resolve()
  #disposed = false
  /** Nobody asked for what runs: its end is nothing to call a person for. */
  /** Of the newest send: a retry goes on as it was sent (G-1). */
  #experiments: QueueEntry['experiments']
  #quietly = false
  /** An edit of the history under way: no turn begins meanwhile. */
  #editing: Promise<unknown> | null = null
  readonly #told: ToldHistory

  constructor(deps: SessionDeps, opened: OpenedSession) {
    this.#deps = deps
    this.#opened = opened
    this.#notices = new SessionNotices(opened.notices, {
      newId: deps.newId,
      nowMs: () => deps.clock.now(),
      publish: (event) => this.#publish(event)
    })
    this.#todo = opened.workspace.file.todo
    this.#told = new ToldHistory(opened, (event) => this.#publish(event))
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
    return this.#phase !== 'idle' || this.#editing !== null
  }

  get file(): WorkspaceFile {
    return this.#opened.workspace.file
  }

  get view(): WorkspaceView {
    return workspaceViewOf(this.#opened.workspace.file, {
      phase: this.#phase,
      waiting: this.people.waiting,
      projectReadable: this.#opened.projectReadable()
    })
  }

  /** Everything a watcher needs to start from, and the sequence after which events go on (T-3). */
  async snapshot(): ReturnType<typeof snapshotOf> {
    await this.tellForeignRows()
    return snapshotOf(this.#deps, this.#opened, {
      events: this.events,
      told: this.#told,
      notices: this.#notices,
      now: () => ({
        workspace: this.view,
        ...this.#live.snapshot(),
        status: { phase: this.#phase, ...this.#status },
        approvals: this.people.approvals,
        questions: this.people.questions,
        todo: this.#todo,
        usage: this.#usage
      })
    })
  }

  /**
   * Takes a person's message: on disk first, then sent at once when idle, else in its turn (T-2). A slash command is
   * carried out instead (`done`), or refused while a turn runs.
   */
  async send(entry: QueueEntry): Promise<Result<'started' | 'queued' | 'done', string>> {
    const command = entry.attachments.length === 0 ? parseSlashCommand(entry.text) : null
    if (command?.name === 'compact') return this.#compact({ reason: 'manual', instructions: command.instructions })
    if (command !== null) {
      const cleared = await this.edit((surroundings) => clearHistory(surroundings, command))
      return cleared.ok ? { ok: true, value: 'done' } : { ok: false, error: cleared.error.message }
    }
    const queued = await this.#opened.queue.add(entry)
    if (!queued.ok) return queued
    const value = this.busy ? 'queued' : 'started'
    this.#dispatchNext()
    return { ok: true, value }
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

  /** Runs one edit of the history: never beside a turn, here or in another process. What waits is sent after it. */
  async edit<T>(task: (surroundings: EditSurroundings) => EditResult<T>): EditResult<T> {
    if (this.busy || this.#disposed) return { ok: false, error: EDIT_BESIDE_TURN }
    const edited = this.#owningTurn(() =>
      task({
        deps: this.#deps,
        opened: this.#opened,
        publish: (event) => this.#publish(event),
        rewritten: (cut) => this.#rewritten(cut),
        windowEnds: () => {
          this.#latch.clear()
          this.#usage = null
          this.#move(this.#phase, { lastProblem: null })
        }
      })
    )
    this.#editing = edited.catch(() => undefined)
    try {
      const owned = await edited
      return owned.ok ? owned.value : { ok: false, error: notOwnerFailure(owned.error) }
    } finally {
      this.#editing = null
      this.#dispatchNext()
    }
  }

  /** Summarises the window because nothing happened in it for long (C-3); resolves when that turn has ended. */
  async compactQuietly(idleHours: number): Promise<void> {
    const started = this.#compact({ reason: 'idle', instructions: '', idleHours })
    if (started.ok) await this.#turn
  }

  /** Stops the turn; resolves when the session is idle and the history holds what was said. */
  async interrupt(): Promise<void> {
    this.#abort?.abort(new DOMException('The person stopped the turn.', 'AbortError'))
    this.#latch.clear()
    await this.#opened.queue.dropMachine()
    await this.#turn
  }

  /** Changes what workspace.json keeps, then tells. */
  async update(change: Partial<WorkspaceFile>): Promise<Result<void, string>> {
    const saved = await this.#opened.workspace.update(change)
    if (saved.ok) this.#deps.onView(this.view)
    return saved
  }

  /** Answers a question about this workspace; `live` is the answer that streams now. */
  ask<Answer>(question: (deps: SessionDeps, opened: OpenedSession, live: Row | null) => Answer): Answer {
    return question(this.#deps, this.#opened, this.#live.snapshot().live)
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
    await this.#told.startOver()
    await adoptImport(this.#opened.history, this.#opened.workspace)
  }

  /** Tells what another process did to the history while nothing ran here. */
  async tellForeignRows(): Promise<void> {
    if (this.busy) return
    if ((await this.#told.wasRewritten()) && !this.busy) await this.#rewritten(null)
    await this.#told.tellMissed()
  }

  /** Ends the turn, waits for the last append, gives the files up. */
  async dispose(): Promise<void> {
    this.#disposed = true
    await this.interrupt()
    await this.#editing
    const { history, paths } = this.#opened
    await saveUnstoredAtEnd(this.#live.snapshot().live, { history, turnLock: paths.turnLock, ...this.#deps })
    await this.#opened.queue.settled()
    await this.#opened.close()
    this.events.flush()
  }

  /** Summarises the window as a turn of its own; what is sent meanwhile waits behind it (C-1). */
  #compact(wish: CompactionWish): Result<'started', string> {
    if (this.busy || this.#disposed) return { ok: false, error: EDIT_BESIDE_TURN.message }
    this.#start(null, wish)
    return { ok: true, value: 'started' }
  }

  #dispatchNext(): void {
    if (this.busy || this.#disposed) return
    const entry = this.#opened.queue.next(false)
    if (entry !== null) this.#start(entry)
  }

  #start(entry: QueueEntry | null, wish: CompactionWish | null = null): void {
    this.#quietly = wish?.reason === 'idle'
    if (entry !== null) this.#experiments = entry.experiments
    this.#move('preparing', { turnStartedAtMs: this.#deps.clock.now(), retry: null, lastProblem: null })
    this.#turn = this.#run(entry, wish)
    // The list shows it while the first turn still runs; written again with how that turn ended.
    if (entry !== null && this.#opened.workspace.file.title === '') void this.update({ title: titleOf(entry) })
  }

  async #run(entry: QueueEntry | null, wish: CompactionWish | null): Promise<void> {
    const abort = new AbortController()
    this.#abort = abort
    const end = await this.#runLocked({ entry, wish, experiments: this.#experiments }, abort.signal).catch(
      (bug: unknown) =>
        bugEnd(bug, {
          log: this.#deps.log,
          workspaceId: this.workspaceId,
          windowId: this.#opened.history.currentWindowId
        })
    )
    await this.#settle(entry, end)
    const prepared = await prepareNext(this.#opened.queue, {
      end,
      experiments: this.#experiments,
      signal: abort.signal,
      quietly: this.#quietly,
      ...this.#deps
    })
    this.#notices.tellOnce(prepared.problem)
    const next = this.#disposed ? null : prepared.next
    const continues = isContinuing(end) && next !== null
    this.#move('idle', { turnStartedAtMs: null, retry: null }, { isSeenOutside: !continues })
    this.#publish({ type: 'turn-ended', ...end, workspaceId: this.workspaceId, continues })
    this.events.flush()
    if (next !== null && !this.busy && !this.#disposed) this.#start(next.entry)
  }

  async #runLocked(work: Work, signal: AbortSignal): Promise<TurnEnd> {
    const end = await this.#owningTurn(() =>
      runWork(
        this.#deps,
        this.#opened,
        {
          abortSignal: signal,
          people: this.people,
          latch: this.#latch,
          publish: (event) => this.#publish(event),
          onDamage: (report) => this.#notices.tellOnce(describeDamage(report)),
          onStreaming: () => this.#move('streaming', {}),
          onRetry: (retry) => this.#move(this.#phase, { retry }),
          resetContext: () => (this.#usage = null),
          tellOnce: (message) => this.#notices.tellOnce(message)
        },
        work
      )
    )
    const windowId = this.#opened.history.currentWindowId
    return end.ok ? end.value : { outcome: 'failed', ...end.error, windowId, requests: 0 }
  }

  #owningTurn<T>(task: () => Promise<T>): Promise<Result<T, NotOwner>> {
    const { live } = this.#live.snapshot()
    const owner = { clock: this.#deps.clock, live, onRecovered: () => this.#told.tellMissed() }
    return owningTurn(this.#opened, owner, task)
  }

  /** Records how the turn ended: title, cost, what is still to be sent. */
  async #settle(entry: QueueEntry | null, end: TurnEnd): Promise<void> {
    if (this.#phase !== 'settling') this.#move('settling', {})
    const { workspace } = this.#opened
    if (!this.#quietly && end.outcome !== 'completed' && end.message !== null) {
      this.#status.lastProblem = { outcome: end.outcome, reason: end.reason, message: end.message }
    }
    const title = workspace.file.title === '' && entry !== null ? titleOf(entry) : workspace.file.title
    const news = { title, updatedAtMs: this.#deps.clock.now(), unread: !this.watched }
    const saved = await workspace.update(this.#quietly ? {} : news)
    if (!saved.ok) this.notify('warning', saved.error)
  }

  /** Tells something, and keeps it for later watchers. */
  notify(level: Notice['level'], message: string): void {
    this.#notices.tell(level, message)
  }

  /** Rows are gone or changed (H-10): what was derived from them goes too. Null where another process did it. */
  async #rewritten(cut: CutSummary | null): Promise<void> {
    this.#latch.clear()
    this.#usage = null
    await this.#told.startOver()
    const after = await afterCut(this.#opened, cut, this.#deps.clock)
    this.#todo = after.todo
    if (after.problem !== null) this.notify('warning', after.problem)
    this.#publish({ type: 'history-rewritten' })
    this.#move(this.#phase, { lastProblem: null })
  }

  #move(
    phase: SessionPhase,
    status: Partial<Omit<SessionStatus, 'phase'>>,
    { isSeenOutside } = { isSeenOutside: true }
  ): void {
    if (phase !== this.#phase) this.#phase = movePhase(this.#phase, phase)
    this.#status = { ...this.#status, ...status }
    this.#publish({ type: 'status-changed', status: { phase: this.#phase, ...this.#status } })
    if (isSeenOutside) this.#deps.onView(this.view, this.#quietly)
  }

  #publish(event: SessionEvent): void {
    this.#live.apply(event)
    if (event.type === 'row-appended') this.#countRow(event.row)
    if (event.type === 'usage') this.#usage = event.view
    if (event.type === 'todo-changed') void this.update({ todo: (this.#todo = event.todo) })
    this.events.emit(event)
    if (event.type === 'approvals-changed' || event.type === 'questions-changed') this.#deps.onView(this.view)
  }

  #countRow(row: Row): void {
    this.#told.note(row)
    this.#opened.workspace.countRow(row)
    // The figures of a row that starts a turn are saved now: a crash in the turn must not lose them.
    if (usesOf(row).startsTurn) void this.#opened.workspace.update({})
  }
}
