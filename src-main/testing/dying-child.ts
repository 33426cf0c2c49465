// Owns another process that sends messages in a workspace and dies at a chosen change of the disk, for tests.
// Usage: node dying-child.cjs HOME WORKSPACE KILL_AT TEXT…. What it survives is told as lines of JSON.
import { writeSync } from 'node:fs'
import { NO_SHELL } from '../cli/no-shell'
import { createApp } from '../create-app'
import { countChanges } from './kill-at-call'

export type DyingLine =
  | { readonly kind: 'row'; readonly id: string }
  | { readonly kind: 'ended'; readonly outcome: string; readonly message: string | null }
  | { readonly kind: 'sent'; readonly text: string }
  | { readonly kind: 'over'; readonly changes: number }

const [, , home = '', workspaceId = '', killAt = '0', ...texts] = process.argv

/** Straight to the descriptor: what was said was said before the next call. */
const write = writeSync
function say(line: DyingLine): void {
  write(1, `${JSON.stringify(line)}\n`)
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
    environment: { PATH: process.env['PATH'], HOME: home },
    personPresent: false
  })
  const opened = await app.services.sessions.open(workspaceId)
  if (!opened.ok) throw new Error(opened.error)
  let over = (): void => undefined
  opened.value.events.subscribe(({ events }) => {
    for (const event of events) {
      if (event.type === 'row-appended') say({ kind: 'row', id: event.row.id })
      if (event.type !== 'turn-ended') continue
      say({ kind: 'ended', outcome: event.outcome, message: event.message })
      if (!event.continues) over()
    }
  })
  const changes = countChanges(Number(killAt))
  for (const text of texts) {
    const ended = new Promise<void>((resolve) => (over = resolve))
    const sent = await app.dispatch('turn.send', { workspaceId, text, attachments: [], mode: 'tool-end' })
    if (!sent.ok) throw new Error(sent.error.message)
    say({ kind: 'sent', text })
    if ((sent.value as { accepted: string }).accepted !== 'done') await ended
  }
  say({ kind: 'over', changes: changes.count })
  await app.close()
}

void main().catch((cause: unknown) => {
  write(2, `${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`)
  process.exit(1)
})
