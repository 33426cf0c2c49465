// A project folder in the system's temp space with real files, and a run of a tool inside it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { appPathsOf } from '../../files/app-paths'
import { nodeFileSystem } from '../../files/file-system'
import { silentLog } from '../../files/log'
import { systemClock } from '../../files/system-clock'
import { historyReaderOf } from '../../history/history-reader'
import { HistoryBrowser } from '../../history-search/history-browser'
import { memoryStoreOf } from '../../memory/memory-store'
import { SeenFiles } from '../seen-files'
import type { ToolRun } from '../tool-types'
import { diskSpill, type DiskSpill } from './disk-spill'

export interface TempProject {
  readonly root: string
  /** Beside the project: what an escape would reach. */
  readonly outside: string
  /** What stands for the home: its memories are below it. */
  readonly home: string
  readonly spill: DiskSpill
  readonly seenFiles: SeenFiles
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
  const workspaceDir = path.join(home, 'workspaces', 'ws-1')
  const reader = historyReaderOf({ workspaceDir, clock: systemClock, log: silentLog })
  const key = (): Uint8Array => new Uint8Array(32)
  const seenFiles = new SeenFiles()
  const history = new HistoryBrowser({ workspaceId: 'ws-1', workspaceDir, reader, fs: nodeFileSystem, key })
  return {
    root,
    outside,
    home,
    spill,
    seenFiles,
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
      history,
      seenFiles,
      allowedPaths: [],
      mayRead: () => true,
      onOutput: () => undefined,
      ask: () => Promise.resolve(null),
      onTodo: () => undefined,
      ...overrides
    }),
    remove: () => rmSync(base, { recursive: true, force: true })
  }
}
