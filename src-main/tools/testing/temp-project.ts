// A project folder in the system's temp space with real files, and a run of a tool inside it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { appPathsOf } from '../../files/app-paths'
import { silentLog } from '../../files/log'
import { systemClock } from '../../files/system-clock'
import { memoryStoreOf } from '../../memory/memory-store'
import type { ToolRun } from '../tool-types'
import { diskSpill, type DiskSpill } from './disk-spill'

export interface TempProject {
  readonly root: string
  /** Beside the project: what an escape would reach. */
  readonly outside: string
  /** What stands for the home: its memories are below it. */
  readonly home: string
  readonly spill: DiskSpill
  write(file: string, content: string | Uint8Array): string
  run(overrides?: Partial<ToolRun>): ToolRun
  remove(): void
}

export function tempProject(): TempProject {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'tidemark-tools-')))
  const [root, outside] = [path.join(base, 'project'), path.join(base, 'outside')]
  for (const folder of [root, outside]) mkdirSync(folder)
  const home = path.join(base, 'home')
  const spill = diskSpill(path.join(base, 'spill'))
  const store = memoryStoreOf(
    { paths: appPathsOf(home), clock: systemClock, log: silentLog },
    { folder: path.join(home, 'workspaces', 'ws-1'), projectId: 'p-1' }
  )
  return {
    root,
    outside,
    home,
    spill,
    write(file, content) {
      const absolute = path.resolve(root, file)
      mkdirSync(path.dirname(absolute), { recursive: true })
      writeFileSync(absolute, content)
      return absolute
    },
    run: (overrides = {}) => ({
      toolCallId: 'call-1',
      projectRoot: root,
      childEnv: { PATH: process.env['PATH'] ?? '', HOME: outside },
      abortSignal: new AbortController().signal,
      spill,
      memory: { access: 'on', store },
      outsideAllowed: false,
      protectedAllowed: false,
      mayRead: () => true,
      onOutput: () => undefined,
      ask: () => Promise.resolve(null),
      onTodo: () => undefined,
      ...overrides
    }),
    remove: () => rmSync(base, { recursive: true, force: true })
  }
}
