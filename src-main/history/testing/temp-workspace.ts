// Owns a workspace folder for a test: made in the system's temporary folder, removed afterwards.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '@common/clock'
import type { Row } from '@common/rows/row-schema'
import type { FileSystem } from '../../files/file-system'
import { type Log, silentLog } from '../../files/log'
import { fastTempFolder } from '../../testing/fast-temp-folder'
import { type HistoryStore, openHistory } from '../history-store'

/** The wall clock, but waits are short: tests wait for other processes, never for time. */
export const testClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 5)))
}

/** A fresh, empty folder to open as a workspace; gone when the test is over. */
export function tempWorkspace(folder = fastTempFolder()): TempWorkspace {
  const dir = mkdtempSync(join(folder, 'tidemark-history-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return new TempWorkspace(dir)
}

export class TempWorkspace {
  readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  path(...names: string[]): string {
    return join(this.dir, ...names)
  }

  async open(options: { fs?: FileSystem; log?: Log; durability?: 'sync' | 'relaxed' } = {}): Promise<HistoryStore> {
    const opened = await openHistory({ workspaceDir: this.dir, clock: testClock, log: silentLog, ...options })
    if (!opened.ok) throw new Error(`The workspace does not open: ${opened.error.message}`)
    return opened.value
  }

  windowNames(): string[] {
    const order = (name: string): number => Number(/\d+/.exec(name)?.[0])
    return readdirSync(this.path('windows'))
      .filter((name) => /^w-\d+\.jsonl$/.test(name))
      .toSorted((a, b) => order(a) - order(b))
  }

  readWindow(name: string): string {
    return readFileSync(this.path('windows', name), 'utf8')
  }

  /** Every line of every window that is JSON, oldest first. */
  storedRows(): Row[] {
    return this.windowNames().flatMap((name) =>
      this.readWindow(name)
        .split('\n')
        .flatMap((line) => parsed(line))
    )
  }

  storedIds(): string[] {
    return this.storedRows().map((row) => row.id)
  }

  /** What a killed process leaves: its lock files stay, but the process they name is gone. */
  buryOwners(): void {
    for (const name of readdirSync(this.dir).filter((each) => each.startsWith('history.lock'))) {
      const owner = parsed(readFileSync(this.path(name), 'utf8'))[0]
      writeFileSync(this.path(name), JSON.stringify({ ...owner, pid: 99_999_999 }))
    }
  }
}

function parsed(line: string): Row[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? [value as Row] : []
  } catch (cause) {
    if (cause instanceof SyntaxError) return []
    throw cause
  }
}
