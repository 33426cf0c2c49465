// Owns one turn seen from the command line: its input sent, its events printed, its outcome as an exit code.
import type { SessionEvent } from '@common/contract/events'
import type { Result } from '@common/result'
import type { AgentSession } from '../session/agent-session'
import { parseSlashCommand } from '../session/slash-commands'
import { TerminalAnswers } from './answer-at-terminal'
import type { CommandContext } from './command-context'
import { EXIT, usageError } from './output'
import type { RunInput } from './read-input'
import { renderEvent } from './render-event'

type TurnEnded = Extract<SessionEvent, { type: 'turn-ended' }>

/** Sends the input, prints what happens, answers the exit code. */
export async function watchTurn(
  session: AgentSession,
  input: RunInput,
  context: CommandContext,
  terminal: boolean
): Promise<number> {
  const { output } = context
  const stopped = new AbortController()
  const answers = terminal ? new TerminalAnswers(session, stopped.signal) : null
  let requests = 0
  let stoppedBy: 'SIGINT' | 'SIGTERM' | null = null
  const stop = (signal: 'SIGINT' | 'SIGTERM'): void => {
    stoppedBy ??= signal
    stopped.abort()
    void session.interrupt()
  }
  const ended = new Promise<TurnEnded>((resolve) => {
    session.events.subscribe(({ events }) => {
      for (const event of events) {
        // A turn that stops for its window goes on in the next one by itself; its requests count into one sum.
        if (event.type === 'turn-ended') {
          requests += event.requests
          if (!event.continues) resolve({ ...event, requests })
        } else {
          output.event({ ...event, workspaceId: session.workspaceId })
          output.text(renderEvent(event))
          answers?.hear(event)
        }
      }
    })
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    const attachments = await input.store(session)
    if (!attachments.ok) return usageError(output, 'attach', attachments.error)
    const entry = {
      id: input.id,
      text: input.text,
      attachments: attachments.value,
      mode: 'turn-end',
      source: 'person',
      held: false,
      queuedAtMs: input.nowMs
    } as const
    const sent = await session.send(entry)
    const isCommand = attachments.value.length === 0 && parseSlashCommand(input.text) !== null
    if (!sent.ok && !isCommand) return usageError(output, 'queue', sent.error)
    const isTurn = sent.ok && sent.value !== 'done'
    const end = isTurn ? await ended : commandEnd(session, sent)
    // The caller has its prompt still: a message that could not be stored is not left to surprise the app.
    if (end.outcome !== 'completed') await session.queue.remove(input.id)
    session.events.flush()
    output.event({ ...end })
    output.text('\n')
    if (end.message !== null && !output.json) output.note(`tidemark: ${end.message}`)
    return exitCodeOf(end, stoppedBy)
  } finally {
    stopped.abort()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** A slash command is no turn, but `run` ends with the same words. */
function commandEnd(session: AgentSession, done: Result<unknown, string>): TurnEnded {
  const end = {
    type: 'turn-ended',
    workspaceId: session.workspaceId,
    windowId: session.store.currentWindowId,
    continues: false
  } as const
  return done.ok
    ? { ...end, outcome: 'completed', reason: null, message: null, requests: 0 }
    : { ...end, outcome: 'failed', reason: 'refused', message: done.error, requests: 0 }
}

function exitCodeOf(end: TurnEnded, stoppedBy: 'SIGINT' | 'SIGTERM' | null): number {
  switch (end.outcome) {
    case 'completed':
      return EXIT.done
    case 'failed':
      return EXIT.failed
    case 'context_budget_blocked':
      return EXIT.blocked
    case 'interrupted':
      return stoppedBy === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted
  }
}
