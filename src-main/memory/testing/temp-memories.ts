// Owns a home with memories for a test: real files in the system's temporary folder, removed afterwards.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { MemoryScope } from '@common/memory/memory-schema'
import { appPathsOf } from '../../files/app-paths'
import { silentLog, type Log } from '../../files/log'
import { systemClock } from '../../files/system-clock'
import { fastTempFolder } from '../../testing/fast-temp-folder'
import { memoryStoreOf, type MemoryStore } from '../memory-store'

export interface TempMemories {
  readonly store: MemoryStore
  readonly home: string
  /** Beside the home: what an escape would reach. */
  readonly outside: string
  /** Absolute path of a file on disk, by scope and path below it. */
  fileOf(scope: MemoryScope, relative: string): string
  /** Writes a file as a person would, past the app. */
  put(scope: MemoryScope, relative: string, content: string | Uint8Array): string
  textOf(scope: MemoryScope, relative: string): string
  /** Names in a scope's folder, hidden ones too. */
  namesIn(scope: MemoryScope, below?: string): string[]
}

export function tempMemories(options: { log?: Log; projectId?: string } = {}): TempMemories {
  const base = realpathSync(mkdtempSync(join(fastTempFolder(), 'tidemark-memory-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [home, outside] = [join(base, 'home'), join(base, 'outside')]
  for (const folder of [home, outside]) mkdirSync(folder)
  const store = memoryStoreOf(
    { paths: appPathsOf(home), clock: systemClock, log: options.log ?? silentLog },
    { folder: join(home, 'workspaces', 'ws-1'), projectId: options.projectId ?? 'p-1' }
  )
  const fileOf = (scope: MemoryScope, relative: string): string => join(store.folders[scope] ?? '', relative)
  return {
    store,
    home,
    outside,
    fileOf,
    put(scope, relative, content) {
      const file = fileOf(scope, relative)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    textOf: (scope, relative) => readFileSync(fileOf(scope, relative), 'utf8'),
    namesIn: (scope, below = '') => readdirSync(fileOf(scope, below)).toSorted()
  }
}
