// Owns another process that runs turns in a workspace, for tests that kill it: the whole app, one session, without end.
// Usage: node session-child.cjs HOME WORKSPACE NAME [TURNS]. What it was told and what was taken are lines of JSON.
import { writeSync } from 'node:fs'
import type { SessionEvent } from '@common/contract/events'
import { NO_SHELL } from '../cli/no-shell'
import { createApp } from '../create-app'

export type ChildLine =
  | { readonly kind: 'ready' }
  /** A message was taken: on disk, whatever happens now. */
  | { readonly kind: 'taken'; readonly entryId: string; readonly text: string }
  | { readonly kind: 'row'; readonly id: string; readonly sequence: number }
  | {
      readonly kind: 'ended'
      readonly outcome: string
      readonly reason: string | null
      readonly message: string | null
    }

const [, , home = '', workspaceId = '', name = '', turns = 'Infinity'] = process.argv

function say(line: ChildLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

async function main(): Promise<void> {
  const app = await createApp({
    home,
    version: '0.0.0',
    runtimeFallback: false,
    openProjectPath: null,
    cipher: null,
    shell: NO_SHELL,
    publish: () => undefined,
    notify: () => undefined,
    environment: { PATH: process.env['PATH'], HOME: home }
  })
  const opened = await app.services.sessions.open(workspaceId)
  if (!opened.ok) throw new Error(opened.error)
  const session = opened.value
  let wake = (): void => undefined
  session.events.subscribe(({ events }) => {
    for (const event of events) {
      tell(event)
      if (event.type === 'turn-ended') wake()
    }
  })
  await session.tellForeignRows()
  say({ kind: 'ready' })
  for (let turn = 0; turn < Number(turns); turn++) {
    const ended = new Promise<void>((resolve) => (wake = resolve))
    await send(`${name} ${turn}`, 'tool-end')
    // Some wait in the queue when the end comes.
    if (turn % 3 === 2) await send(`${name} ${turn} behind`, turn % 2 === 0 ? 'turn-end' : 'tool-end')
    await ended
    while (session.busy) await new Promise<void>((resolve) => (wake = resolve))
    // What the other process kept from being sent is sent by the person, sooner or later.
    for (const entry of session.queue.entries) {
      if (entry.held) await session.sendQueued(entry.id)
      while (session.busy) await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  await app.close()

  async function send(text: string, mode: 'tool-end' | 'turn-end'): Promise<void> {
    const sent = await app.dispatch('turn.send', { workspaceId, text, attachments: [], mode })
    if (!sent.ok) throw new Error(sent.error.message)
    say({ kind: 'taken', entryId: (sent.value as { entryId: string }).entryId, text })
  }
}

function tell(event: SessionEvent): void {
  if (event.type === 'row-appended')
    say({ kind: 'row', id: event.row.id, sequence: event.row.metadata.historySequence ?? 0 })
  if (event.type === 'turn-ended') {
    const { outcome, reason, message } = event
    say({ kind: 'ended', outcome, reason, message })
  }
}

void main().catch((cause: unknown) => {
  writeSync(2, `${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`)
  process.exit(1)
})
