// Owns approvals and questions at a terminal: shown and answered on stderr, so that stdout stays the result.
import { createInterface } from 'node:readline/promises'
import type { SessionEvent } from '@common/contract/events'
import type { ApprovalAnswer, ApprovalRequest } from '@common/tools/approval'
import type { AgentSession } from '../session/agent-session'
import { forTerminal } from './for-terminal'

/** Asks for what this event says is waiting, one after another; each is asked once. */
export function answerAtTerminal(session: AgentSession, event: SessionEvent): void {
  if (event.type === 'approvals-changed') {
    for (const request of event.approvals) askOnce(request.approvalId, () => askApproval(session, request))
  }
  if (event.type === 'questions-changed') {
    for (const request of event.questions) {
      askOnce(request.questionId, async () => {
        const answer = await ask(
          `\n${[request.question, ...request.options.map((option) => `  - ${option}`)].join('\n')}\n> `
        )
        session.people.answerQuestion(request.questionId, answer === '' ? null : answer)
      })
    }
  }
}

const asked = new Set<string>()
let tail: Promise<void> = Promise.resolve()

function askOnce(id: string, question: () => Promise<void>): void {
  if (asked.has(id)) return
  asked.add(id)
  tail = tail.then(question)
}

async function askApproval(session: AgentSession, request: ApprovalRequest): Promise<void> {
  const choices = request.workspaceGrant === null ? '[y]es, [n]o' : `[y]es, [w] ${request.workspaceGrant}, [n]o`
  const text = await ask(`\n${subjectOf(request)}\n${request.reason}\nAllow? ${choices}, or words to the agent: `)
  session.answerApproval(request.approvalId, answerOf(text, request))
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

async function ask(prompt: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(forTerminal(prompt))
  } finally {
    terminal.close()
  }
}
