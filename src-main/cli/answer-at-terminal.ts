// Owns approvals and questions at a terminal: shown and answered on stderr, so that stdout stays the result.
import { createInterface } from 'node:readline/promises'
import type { SessionEvent } from '@common/contract/events'
import type { ApprovalAnswer, ApprovalRequest, QuestionRequest } from '@common/tools/approval'
import type { AgentSession } from '../session/agent-session'
import { forTerminal } from './for-terminal'

/** Asks one thing after another, each once; `signal` ends a prompt that stands and drops those that wait. */
export class TerminalAnswers {
  readonly #session: AgentSession
  readonly #signal: AbortSignal
  readonly #asked = new Set<string>()
  #tail: Promise<void> = Promise.resolve()

  constructor(session: AgentSession, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
  }

  /** Asks for what this event says is waiting. */
  hear(event: SessionEvent): void {
    if (event.type === 'approvals-changed') {
      for (const request of event.approvals) this.#once(request.approvalId, () => this.#approval(request))
    }
    if (event.type === 'questions-changed') {
      for (const request of event.questions) this.#once(request.questionId, () => this.#question(request))
    }
  }

  #once(id: string, question: () => Promise<void>): void {
    if (this.#asked.has(id)) return
    this.#asked.add(id)
    this.#tail = this.#tail.then(() => (this.#signal.aborted ? undefined : question()))
  }

  async #approval(request: ApprovalRequest): Promise<void> {
    const choices = request.workspaceGrant === null ? '[y]es, [n]o' : `[y]es, [w] ${request.workspaceGrant}, [n]o`
    const prompt = `\n${subjectOf(request)}\n${request.reason}\nAllow? ${choices}, or words to the agent: `
    const text = await ask(prompt, this.#signal)
    if (text !== null) this.#session.people.answerApproval(request.approvalId, answerOf(text, request))
  }

  async #question({ questionId, question, options }: QuestionRequest): Promise<void> {
    const text = await ask(`\n${[question, ...options.map((option) => `  - ${option}`)].join('\n')}\n> `, this.#signal)
    if (text !== null) this.#session.people.answerQuestion(questionId, text === '' ? null : text)
  }
}

function answerOf(text: string, request: ApprovalRequest): ApprovalAnswer {
  const answer = text.trim().toLowerCase()
  if (answer === 'y' || answer === 'yes') return { decision: 'once' }
  if (answer === 'w' && request.workspaceGrant !== null) return { decision: 'workspace' }
  return { decision: 'deny', message: answer === '' || answer === 'n' || answer === 'no' ? null : text.trim() }
}

function subjectOf({ subject }: ApprovalRequest): string {
  switch (subject.kind) {
    case 'command':
      return `$ ${subject.command}\n  in ${subject.cwd}`
    case 'change':
      return `${subject.created ? 'Create' : 'Change'} ${subject.path}\n${subject.diff}`
    case 'read':
      return `Read ${subject.path}`
    case 'other':
      return subject.text
  }
}

/** What was typed; null when the turn was stopped meanwhile. */
async function ask(prompt: string, signal: AbortSignal): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // While it reads, the terminal swallows Ctrl-C; it must stop the turn as ever.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await terminal.question(forTerminal(prompt), { signal })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  } finally {
    terminal.close()
  }
}
