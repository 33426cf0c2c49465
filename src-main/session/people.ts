// Owns what waits for a person: approvals and questions. Each is answered once, or given up when its turn
// stops; without anybody present there is no waiting at all.
import type { SessionEvent } from '@common/contract/events'
import type { ApprovalAnswer, ApprovalRequest, QuestionRequest } from '@common/tools/approval'

interface Waiting<Request, Answer> {
  readonly request: Request
  settle(answer: Answer | null): void
}

export interface PeopleOptions {
  /** False on a command line without a terminal: nobody would ever answer. */
  readonly present: boolean
  newId(): string
  publish(event: SessionEvent): void
}

export class People {
  readonly #options: PeopleOptions
  readonly #approvals = new Map<string, Waiting<ApprovalRequest, ApprovalAnswer>>()
  readonly #questions = new Map<string, Waiting<QuestionRequest, string>>()

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  get approvals(): ApprovalRequest[] {
    return [...this.#approvals.values()].map((waiting) => waiting.request)
  }

  get questions(): QuestionRequest[] {
    return [...this.#questions.values()].map((waiting) => waiting.request)
  }

  get waiting(): boolean {
    return this.#approvals.size + this.#questions.size > 0
  }

  /** Asks for leave; null when nobody is present or the turn was stopped. */
  askApproval(request: Omit<ApprovalRequest, 'approvalId'>, signal: AbortSignal): Promise<ApprovalAnswer | null> {
    const approvalId = this.#options.newId()
    return this.#ask(this.#approvals, approvalId, { ...request, approvalId }, signal)
  }

  /** Asks a question; null when nobody is present, will not say, or the turn was stopped. */
  askQuestion(request: Omit<QuestionRequest, 'questionId'>, signal: AbortSignal): Promise<string | null> {
    const questionId = this.#options.newId()
    return this.#ask(this.#questions, questionId, { ...request, questionId }, signal)
  }

  /** False when that approval no longer waits. */
  answerApproval(approvalId: string, answer: ApprovalAnswer): boolean {
    const waiting = this.#approvals.get(approvalId)
    waiting?.settle(answer)
    return waiting !== undefined
  }

  /** False when that question no longer waits; null says that the person will not answer. */
  answerQuestion(questionId: string, answer: string | null): boolean {
    const waiting = this.#questions.get(questionId)
    waiting?.settle(answer)
    return waiting !== undefined
  }

  #ask<Request, Answer>(
    waiting: Map<string, Waiting<Request, Answer>>,
    id: string,
    request: Request,
    signal: AbortSignal
  ): Promise<Answer | null> {
    if (!this.#options.present || signal.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const giveUp = (): void => settle(null)
      const settle = (answer: Answer | null): void => {
        if (!waiting.delete(id)) return
        signal.removeEventListener('abort', giveUp)
        this.#tell()
        resolve(answer)
      }
      waiting.set(id, { request, settle })
      signal.addEventListener('abort', giveUp, { once: true })
      this.#tell()
    })
  }

  #tell(): void {
    this.#options.publish({ type: 'approvals-changed', approvals: this.approvals })
    this.#options.publish({ type: 'questions-changed', questions: this.questions })
  }
}
