// Owns a look at a workspace by another user: opens, reads, appends once, and says how each went.
// Usage: node probe-child.cjs WORKSPACE. One line of JSON on stdout.
import { writeSync } from 'node:fs'
import type { Clock } from '@common/clock'
import { silentLog } from '../../files/log'
import { openHistory } from '../history-store'
import { personRow } from './row-builders'

const clock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
}

/** What the probe answers; a failure is its kind and its sentence. */
export interface ProbeAnswer {
  readonly open: 'ok' | { kind: string; message: string }
  readonly ids: readonly string[]
  readonly append: 'ok' | 'not tried' | { kind: string; message: string }
}

async function probe(workspaceDir: string): Promise<ProbeAnswer> {
  const opened = await openHistory({ workspaceDir, clock, log: silentLog })
  if (!opened.ok) return { open: failureOf(opened.error), ids: [], append: 'not tried' }
  const window = await opened.value.activeWindow()
  const ids = window.ok ? window.value.rows.map((row) => row.id) : []
  const appended = await opened.value.appendMany([personRow('probe')])
  await opened.value.close()
  return { open: 'ok', ids, append: appended.ok ? 'ok' : failureOf(appended.error) }
}

function failureOf({ kind, message }: { kind: string; message: string }): { kind: string; message: string } {
  return { kind, message }
}

void probe(process.argv[2] ?? '').then((answer) => writeSync(1, JSON.stringify(answer)))
