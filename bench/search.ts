// `npm run bench -- search [--quick]`: F-4 (search of a whole history by cursors), F-5 (one page), F-6 (list of windows),
// F-20 (search of all workspaces), against ripgrep, decoding every row and SQLite's FTS5. Writes bench/results/search.json.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { SessionHistoryOutput } from '../src-common/tools/session-history-contract'
import { type FileSystem, nodeFileSystem } from '../src-main/files/file-system'
import { silentLog } from '../src-main/files/log'
import { systemClock } from '../src-main/files/system-clock'
import { type HistoryStore, openHistory } from '../src-main/history/history-store'
import { historyReaderOf } from '../src-main/history/history-reader'
import { HistoryBrowser } from '../src-main/history-search/history-browser'
import { searchEverywhere } from '../src-main/history-search/search-people'
import { callSessionHistory } from '../src-main/history-search/session-history'
import { measureInterleaved, median, medianOf, rounded } from './support/measure'
import { atMost, type Figure, report, told } from './support/report'
import { NEEDLE, rolloverRow, type SearchedHistory, writeSearchHistory } from './support/search-history'
import { syntheticRow } from './support/synthetic-history'
import { temporaryFolder } from './support/temporary'

const isQuick = process.argv.includes('--quick')
const MB = 1_000_000
const TOTAL_BYTES = (isQuick ? 100 : 1_000) * MB
const ROUNDS = isQuick ? 5 : 7
const PAGE_ROUNDS = isQuick ? 200 : 600
/** In no row, but its letters are everywhere: what a search has to look at everything for. */
const ABSENT = 'quokka-sanctuary'

const figures: Figure[] = []
let bytesRead = 0
const countingFs: FileSystem = {
  ...nodeFileSystem,
  read(...args) {
    const count = nodeFileSystem.read(...args)
    bytesRead += count
    return count
  }
}

async function main(): Promise<void> {
  const history = writeSearchHistory(temporaryFolder('one'), TOTAL_BYTES, 10 * MB)
  // A receipt is there in real life; the first append writes it.
  const store = await openStore(history.dir, nodeFileSystem)
  await store.appendMany([syntheticRow(0)])
  await benchWholeSearch(history, store)
  await benchPage(history, store)
  await benchList(history, store)
  await benchFts(history)
  await store.close()
  await benchEverywhere()
  report('search', isQuick, figures)
}

async function openStore(workspaceDir: string, fs: FileSystem): Promise<HistoryStore> {
  const opened = await openHistory({ workspaceDir, clock: systemClock, log: silentLog, fs })
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value
}

function browserOf(workspaceDir: string, reader: HistoryStore, fs: FileSystem = nodeFileSystem): HistoryBrowser {
  return new HistoryBrowser({ workspaceId: 'w', workspaceDir, reader, fs, key: () => new Uint8Array(32) })
}

async function call(browser: HistoryBrowser, input: object): Promise<SessionHistoryOutput> {
  const answer = await callSessionHistory(browser, input, 'agent')
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

/** Follows every cursor; answers hits and calls. */
async function searchAll(browser: HistoryBrowser, query: string): Promise<{ hits: number; calls: number }> {
  let cursor: string | null = null
  let [hits, calls] = [0, 0]
  do {
    const page: SessionHistoryOutput = await call(browser, { action: 'search', query, cursor, limit: 25 })
    hits += 'items' in page ? page.items.length : 0
    cursor = page.cursor
    calls++
  } while (cursor !== null)
  return { hits, calls }
}

function ripgrep(query: string, folder: string): void {
  try {
    execFileSync(rgPath, ['--no-config', '-i', '-F', '-c', query, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  } catch (cause) {
    // One: nothing was found.
    if ((cause as { status?: number }).status !== 1) throw cause
  }
}

async function benchWholeSearch(history: SearchedHistory, store: HistoryStore): Promise<void> {
  const browser = browserOf(history.dir, store)
  const folder = join(history.dir, 'windows')
  const found = await searchAll(browser, NEEDLE)
  if (found.hits !== 1) throw new Error(`The needle was found ${found.hits} times.`)
  const times = await measureInterleaved(
    [
      { name: 'search', run: () => searchAll(browser, ABSENT) },
      { name: 'rg -i -F -c', run: () => ripgrep(ABSENT, folder) }
    ],
    ROUNDS
  )
  const decoded = await measureInterleaved([{ name: 'decode', run: () => decodeEveryRow(history, ABSENT) }], 1)
  const counted = await openStore(history.dir, countingFs)
  bytesRead = 0
  const { calls } = await searchAll(browserOf(history.dir, counted, countingFs), ABSENT)
  const readRatio = bytesRead / history.bytes
  await counted.close()
  const [ours, rg, decode] = [medianOf(times, 'search'), medianOf(times, 'rg -i -F -c'), medianOf(decoded, 'decode')]
  const what = `search of ${rounded(history.bytes / MB)} MB without a hit, ${calls} calls`
  figures.push(
    atMost(5, {
      id: 'F-4',
      what: `${what}, against rg -i -F -c`,
      value: ours / rg,
      details: { 'search ms': ours, 'rg ms': rg, 'GB/s': history.bytes / ours / 1e6 }
    }),
    atMost(1 / 8, {
      id: 'F-4',
      what: 'the same against decoding every row',
      value: ours / decode,
      details: { 'decode ms': decode }
    }),
    atMost(1.15, { id: 'F-4', what: 'bytes read against bytes there', value: readRatio })
  )
}

function decodeEveryRow({ windows }: SearchedHistory, query: string): number {
  let hits = 0
  for (const path of windows)
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line === '') continue
      const { parts } = JSON.parse(line) as { parts: unknown }
      if (JSON.stringify(parts).toLowerCase().includes(query)) hits++
    }
  return hits
}

async function benchPage(history: SearchedHistory, store: HistoryStore): Promise<void> {
  const browser = browserOf(history.dir, store)
  const counted = await openStore(history.dir, countingFs)
  bytesRead = 0
  const first = await call(browserOf(history.dir, counted, countingFs), { action: 'search', query: ABSENT })
  const pageBytes = bytesRead
  await counted.close()
  if (first.exhausted) throw new Error('The history is smaller than a page.')
  // Both go through the history, so that neither finds its bytes in the processor's cache.
  let cursor: string | null = null
  const reading = sequentialReads(history.windows, pageBytes)
  const times = await measureInterleaved(
    [
      {
        name: 'page',
        run: async () => {
          cursor = (await call(browser, { action: 'search', query: ABSENT, cursor })).cursor
        }
      },
      { name: 'readSync', run: () => reading.next() }
    ],
    PAGE_ROUNDS
  )
  reading.return()
  const [page, read] = [medianOf(times, 'page'), medianOf(times, 'readSync')]
  figures.push(
    atMost(4, {
      id: 'F-5',
      what: `one page without a hit (${rounded(pageBytes / MB)} MB), against readSync of as many bytes`,
      value: page / read,
      details: { 'page ms': page, 'readSync ms': read }
    })
  )
}

/** Each step reads so many bytes of the files, one after the other, for ever. */
function* sequentialReads(paths: readonly string[], bytes: number): Generator<void, void, void> {
  const step = Buffer.allocUnsafeSlow(262_144 + 4_096).subarray(4_032, 4_032 + 262_144)
  let left = bytes
  for (;;) {
    for (const path of paths) {
      const descriptor = openSync(path, 'r')
      try {
        for (let at = 0; ;) {
          const count = readSync(descriptor, step, 0, Math.min(step.length, left), at)
          if (count === 0) break
          at += count
          left -= count
          if (left > 0) continue
          yield
          left = bytes
        }
      } finally {
        closeSync(descriptor)
      }
    }
  }
}

async function benchList(history: SearchedHistory, store: HistoryStore): Promise<void> {
  // A new window saves the index; the next task of the store comes after that.
  await store.appendMany([rolloverRow(history.rows + 2), syntheticRow(1)])
  const listed = await store.listWindows()
  if (!listed.ok) throw new Error(listed.error.message)
  const index = join(history.dir, 'windows.json')
  const browser = browserOf(history.dir, store)
  const coldStart = performance.now()
  await call(browser, { action: 'list_windows' })
  const coldMs = performance.now() - coldStart
  const times = await measureInterleaved(
    [
      { name: 'list_windows', run: () => call(browser, { action: 'list_windows' }) },
      { name: 'index', run: () => JSON.parse(readFileSync(index, 'utf8')) as unknown }
    ],
    PAGE_ROUNDS / 4
  )
  const [list, read] = [medianOf(times, 'list_windows'), medianOf(times, 'index')]
  figures.push(
    atMost(2, {
      id: 'F-6',
      what: `list_windows of ${history.windows.length} windows, against reading the window index (${rounded(statSync(index).size / MB)} MB)`,
      value: list / read,
      details: { 'list_windows ms': list, 'index ms': read, 'first call of a process ms': coldMs }
    })
  )
}

interface SqliteDatabase {
  pragma(text: string): unknown
  exec(text: string): unknown
  prepare(text: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown[] }
  transaction(task: () => void): () => void
  close(): void
}

/** What an index would cost and give. */
async function benchFts(history: SearchedHistory): Promise<void> {
  const require = createRequire(join(process.cwd(), 'bench/package.json'))
  let Database: new (path: string) => SqliteDatabase
  try {
    Database = require('better-sqlite3') as typeof Database
  } catch (cause) {
    console.log(`SQLite is left out: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`)
    return
  }
  const path = join(history.dir, 'fts.sqlite')
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.exec("CREATE VIRTUAL TABLE rows USING fts5(text, tokenize = 'trigram')")
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)')
  // A tenth is enough to see what it costs.
  const some = history.windows.slice(0, Math.max(1, Math.floor(history.windows.length / 10)))
  const bytes = some.reduce((sum, window) => sum + statSync(window).size, 0)
  const start = performance.now()
  for (const window of some)
    database.transaction(() => {
      for (const line of readFileSync(window, 'utf8').split('\n')) if (line !== '') insert.run(line)
    })()
  const buildMs = performance.now() - start
  const query = database.prepare('SELECT rowid FROM rows WHERE rows MATCH ? LIMIT 25')
  const times = await measureInterleaved([{ name: 'fts', run: () => query.all(`"${ABSENT}"`) }], 20)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  figures.push(
    told({
      id: 'FTS5',
      what: 'trigram index against the rows that it indexes, in bytes',
      value: statSync(path).size / bytes,
      details: { 'query ms': medianOf(times, 'fts'), 'indexing MB/s': bytes / buildMs / 1e3 }
    })
  )
}

async function benchEverywhere(): Promise<void> {
  const [count, each] = isQuick ? [20, 5 * MB] : [100, 10 * MB]
  const root = temporaryFolder('many')
  const dirs = Array.from({ length: count }, (_, at) => join(root, `ws-${at}`))
  for (const dir of dirs) writeSearchHistory(dir, each, MB)
  const workspaces = () =>
    dirs.map((workspaceDir, at) => {
      const reader = historyReaderOf({ workspaceDir, clock: systemClock, log: silentLog })
      const parts = { workspaceId: `ws-${at}`, workspaceDir, reader, fs: nodeFileSystem, key: () => new Uint8Array(32) }
      return { workspaceId: `ws-${at}`, title: '', browser: new HistoryBrowser(parts) }
    })
  const firstMs: number[] = []
  const search = async (query: string): Promise<number> => {
    const start = performance.now()
    let hits = 0
    for await (const step of searchEverywhere(workspaces(), { query })) {
      if (!step.ok) throw new Error(step.error.kind)
      const found = step.value.windows.reduce((sum, window) => sum + window.hits.length, 0)
      if (hits === 0 && found > 0) firstMs.push(performance.now() - start)
      hits += found
    }
    return hits
  }
  const times = await measureInterleaved(
    [
      { name: 'search', run: () => search(NEEDLE) },
      { name: 'rg', run: () => ripgrep(NEEDLE, root) }
    ],
    ROUNDS
  )
  const [ours, rg] = [medianOf(times, 'search'), medianOf(times, 'rg')]
  const what = `${count} workspaces of ${each / MB} MB, a hit in each`
  figures.push(
    atMost(300, { id: 'F-20', what: `first hits of ${what}`, value: median(firstMs), unit: ' ms' }),
    atMost(5, {
      id: 'F-20',
      what: `all of ${what}, against rg -i -F`,
      value: ours / rg,
      details: { 'search ms': ours, 'rg ms': rg, 'GB/s': (count * each) / ours / 1e6 }
    })
  )
}

void main()
