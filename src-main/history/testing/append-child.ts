// Owns the other process of the two-process tests: appends for ever and says what was accepted.
// Usage: node append-child.cjs WORKSPACE NAME [streams]. Each accepted row's id is one line on stdout.
import { writeSync } from 'node:fs'
import type { Clock } from '@common/clock'
import type { NewRow } from '@common/rows/row-schema'
import { silentLog } from '../../files/log'
import { openHistory } from '../history-store'
import { assistantRow, personRow, rolloverBatch, toolPart } from './row-builders'

const [, , workspaceDir = '', name = '', mode = ''] = process.argv
const clock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs))
}

async function main(): Promise<void> {
  const opened = await openHistory({ workspaceDir, clock, log: silentLog })
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  if (mode === 'streams') {
    const recovered = await store.recoverPartial()
    if (!recovered.ok) throw new Error(recovered.error.message)
  }
  for (let count = 0; ; count++) {
    const id = `${name}-${count}`
    const rows = batchOf(id, count)
    let accepted
    if (mode === 'streams' && count % 3 === 2) {
      const row: NewRow = { ...assistantRow(id), parts: [toolPart(`${id}-call`, { state: 'input-available' })] }
      await store.writePartial(row)
      accepted = await store.commitPartial([row])
    } else {
      accepted = await store.appendMany(rows)
    }
    if (!accepted.ok) throw new Error(accepted.error.message)
    writeSync(1, accepted.value.map((row) => `${row.id}\n`).join(''))
  }
}

function batchOf(id: string, count: number): NewRow[] {
  if (count % 25 === 24) return rolloverBatch(id)
  return [personRow(`${id}-a`, 'x'.repeat((count * 379) % 9_000)), assistantRow(`${id}-b`)].slice(0, 1 + (count % 2))
}

void main().catch((cause: unknown) => {
  writeSync(2, `${String(cause)}\n`)
  process.exit(1)
})
