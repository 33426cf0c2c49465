// `npm run bench -- history [--quick]`: F-1 (active window), F-2 (durable append), F-3 (append at 1 GB), opening.
// Ratios against a baseline of the same run; writes bench/results/history.json.
import {
  constants,
  closeSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeFileSystem } from '../src-main/files/file-system'
import { silentLog } from '../src-main/files/log'
import { systemClock } from '../src-main/files/system-clock'
import { type HistoryStore, openHistory } from '../src-main/history/history-store'
import { measureInterleaved, median, medianOf, rounded, tenth, type Variant } from './support/measure'
import { syntheticRow, writeSyntheticHistory } from './support/synthetic-history'

const isQuick = process.argv.includes('--quick')
const MB = 1_000_000
const LARGE_BYTES = (isQuick ? 100 : 1_000) * MB
const ROUNDS = isQuick ? 200 : 600
const READ_ROUNDS = isQuick ? 15 : 31

interface Figure {
  readonly id: string
  readonly what: string
  readonly ratio: number
  /** The same of the 10th percentiles: what is left when other work on the machine is taken away. */
  readonly quietRatio: number
  readonly bar: string
  readonly medianMs: Readonly<Record<string, number>>
  readonly note?: string
}

const BASELINE_READ = 'baseline: read and parse its bytes'
const BASELINE_WRITE = 'baseline: write + fdatasync'
const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
const figures: Figure[] = []

async function main(): Promise<void> {
  const many = folderOf('many-windows', { totalBytes: LARGE_BYTES, windowBytes: 10 * MB, lastWindowBytes: MB })
  const one = folderOf('one-window', { totalBytes: LARGE_BYTES, windowBytes: LARGE_BYTES, lastWindowBytes: 0 })
  const small = folderOf('small', { totalBytes: MB, windowBytes: MB, lastWindowBytes: 0 })
  await benchActiveWindow(many)
  await benchAppend(small)
  await benchAppendAtSize(one, small)
  await benchOpen(many, folderOf('fresh', { totalBytes: MB, windowBytes: MB, lastWindowBytes: 0 }))
  report()
}

function folderOf(name: string, sizes: Parameters<typeof writeSyntheticHistory>[1]) {
  const dir = join(root, name)
  return { dir, ...writeSyntheticHistory(dir, sizes) }
}

type Folder = ReturnType<typeof folderOf>

async function open({ dir }: { dir: string }): Promise<HistoryStore> {
  const opened = await openHistory({ workspaceDir: dir, clock: systemClock, log: silentLog })
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value
}

async function benchActiveWindow(history: Folder): Promise<void> {
  const newest = history.windows.at(-1) ?? ''
  let bytesRead = 0
  const counting = {
    ...nodeFileSystem,
    read: (...args: Parameters<typeof nodeFileSystem.read>) => {
      const count = nodeFileSystem.read(...args)
      bytesRead += count
      return count
    }
  }
  const opened = await openHistory({ workspaceDir: history.dir, clock: systemClock, log: silentLog, fs: counting })
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  const variants: Variant[] = [
    { name: 'activeWindow', run: () => store.activeWindow() },
    { name: BASELINE_READ, run: () => parseWhole(newest) }
  ]
  const times = await measureInterleaved(variants, READ_ROUNDS)
  bytesRead = 0
  await store.activeWindow()
  const spareBytes = bytesRead - statSync(newest).size
  const whole = await measureInterleaved(
    [
      { name: 'read', run: () => readWhole(history.windows) },
      { name: 'parse', run: () => history.windows.forEach((path) => void parseWhole(path)) }
    ],
    3
  )
  const [ours, baseline] = [medianOf(times, 'activeWindow'), medianOf(times, BASELINE_READ)]
  figures.push({
    id: 'F-1',
    what: `activeWindow() of a history of ${history.bytes / MB} MB, newest window ${rounded(statSync(newest).size / MB)} MB`,
    ...ratiosOf(times, 'activeWindow', BASELINE_READ),
    bar: '≤ 1.25',
    medianMs: {
      activeWindow: ours,
      baseline,
      'read everything': medianOf(whole, 'read'),
      'read and parse everything': medianOf(whole, 'parse')
    },
    note: `bytes read beyond the window: ${spareBytes} (bar 524288); everything ÷ ours: ${rounded(medianOf(whole, 'read') / ours)} read, ${rounded(medianOf(whole, 'parse') / ours)} read and parsed (bar ≥ 100 at 1 GB)`
  })
  await store.close()
}

function parseWhole(path: string): unknown[] {
  const descriptor = openSync(path, 'r')
  const bytes = Buffer.allocUnsafeSlow(statSync(path).size)
  for (let at = 0; at < bytes.length;) at += readSync(descriptor, bytes, at, bytes.length - at, at)
  closeSync(descriptor)
  const rows: unknown[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    rows.push(JSON.parse(bytes.toString('utf8', start, end)))
    start = end + 1
  }
  return rows
}

function readWhole(paths: readonly string[]): void {
  const step = Buffer.allocUnsafeSlow(262_144 + 4_096).subarray(4_032, 4_032 + 262_144)
  for (const path of paths) {
    const descriptor = openSync(path, 'r')
    while (readSync(descriptor, step, 0, step.length, null) > 0) continue
    closeSync(descriptor)
  }
}

async function benchAppend(history: Folder): Promise<void> {
  const store = await open(history)
  const rows = [syntheticRow(0), syntheticRow(1), syntheticRow(2)]
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR
  const [bare, waiting] = ['bare', 'waiting'].map((name) => openSync(join(history.dir, `${name}.jsonl`), flags, 0o600))
  if (bare === undefined || waiting === undefined) throw new Error('Two files are open.')
  const sqlite = openSqlite(join(history.dir, 'rows.sqlite'))
  const variants: Variant[] = [
    { name: 'appendMany', run: () => store.appendMany(rows) },
    {
      name: BASELINE_WRITE,
      run: () => {
        writeSync(bare, bytes)
        fdatasyncSync(bare)
      }
    },
    {
      name: 'write + fdatasync off the main thread',
      run: () => {
        writeSync(waiting, bytes)
        return new Promise<void>((resolve, reject) =>
          fdatasync(waiting, (error) => (error === null ? resolve() : reject(error)))
        )
      }
    },
    ...(sqlite === null
      ? []
      : [{ name: 'SQLite WAL FULL', run: () => sqlite.insert(rows.map((row) => JSON.stringify(row))) }])
  ]
  const times = await measureInterleaved(variants, ROUNDS)
  const medians = Object.fromEntries([...times].map(([name, values]) => [name, median(values)]))
  figures.push({
    id: 'F-2',
    what: `durable append of three rows (${bytes.length} bytes)`,
    ...ratiosOf(times, 'appendMany', BASELINE_WRITE),
    bar: '≤ 1.3, faster than SQLite',
    medianMs: medians,
    ...(sqlite === null ? { note: 'better-sqlite3 is not installed: not compared' } : {})
  })
  sqlite?.close()
  closeSync(bare)
  closeSync(waiting)
  await store.close()
}

interface Sqlite {
  insert(rows: readonly string[]): void
  close(): void
}

interface SqliteDatabase {
  pragma(text: string): unknown
  exec(text: string): unknown
  prepare(text: string): { run(value: string): unknown }
  transaction<T extends unknown[]>(task: (...args: T) => void): (...args: T) => void
  close(): void
}

/** Null where the package of the benchmarks is not installed. */
function openSqlite(path: string): Sqlite | null {
  const require = createRequire(join(process.cwd(), 'bench/package.json'))
  let Database: new (path: string) => SqliteDatabase
  try {
    Database = require('better-sqlite3') as typeof Database
  } catch (cause) {
    console.log(`SQLite is left out: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`)
    return null
  }
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE rows (sequence INTEGER PRIMARY KEY, json TEXT NOT NULL)')
  const statement = database.prepare('INSERT INTO rows (json) VALUES (?)')
  const insert = database.transaction((rows: readonly string[]) => {
    for (const row of rows) statement.run(row)
  })
  return { insert, close: () => database.close() }
}

async function benchAppendAtSize(large: Folder, small: Folder): Promise<void> {
  const [atLarge, atSmall] = [await open(large), await open(small)]
  const rows = [syntheticRow(0), syntheticRow(1), syntheticRow(2)]
  const times = await measureInterleaved(
    [
      { name: 'large', run: () => atLarge.appendMany(rows) },
      { name: 'small', run: () => atSmall.appendMany(rows) }
    ],
    ROUNDS
  )
  figures.push({
    id: 'F-3',
    what: `append to a window of ${large.bytes / MB} MB against one of 1 MB`,
    ...ratiosOf(times, 'large', 'small'),
    bar: '≤ 1.2',
    medianMs: { large: medianOf(times, 'large'), small: medianOf(times, 'small') }
  })
  await atLarge.close()
  await atSmall.close()
}

async function benchOpen(large: Folder, small: Folder): Promise<void> {
  const openAndRead = async (folder: Folder): Promise<void> => {
    const store = await open(folder)
    const page = await store.page({ before: null, maxRows: 80, maxBytes: 262_144 })
    if (!page.ok) throw new Error(page.error.message)
    await store.close()
  }
  // A receipt is there in real life; the first append writes it.
  for (const folder of [large, small]) {
    const store = await open(folder)
    await store.appendMany([syntheticRow(0)])
    await store.close()
  }
  const times = await measureInterleaved(
    [
      { name: 'large', run: () => openAndRead(large) },
      { name: 'small', run: () => openAndRead(small) }
    ],
    READ_ROUNDS
  )
  figures.push({
    id: 'open',
    what: `opening a history of ${large.bytes / MB} MB and its newest page, against one of 1 MB`,
    ...ratiosOf(times, 'large', 'small'),
    bar: '≤ 1.5',
    medianMs: { large: medianOf(times, 'large'), small: medianOf(times, 'small') }
  })
}

function ratiosOf(times: Map<string, number[]>, name: string, base: string): Pick<Figure, 'ratio' | 'quietRatio'> {
  const [ours, theirs] = [times.get(name) ?? [], times.get(base) ?? []]
  return { ratio: median(ours) / median(theirs), quietRatio: tenth(ours) / tenth(theirs) }
}

function report(): void {
  for (const figure of figures) {
    console.log(
      `${figure.id}  ${figure.what}: ${rounded(figure.ratio)}× (bar ${figure.bar}), 10th percentiles ${rounded(figure.quietRatio)}×`
    )
    for (const [name, value] of Object.entries(figure.medianMs)) console.log(`      ${name}: ${rounded(value)} ms`)
    if (figure.note !== undefined) console.log(`      ${figure.note}`)
  }
  const folder = join(process.cwd(), 'bench/results')
  mkdirSync(folder, { recursive: true })
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
  const path = join(folder, 'history.json')
  writeFileSync(path, `${JSON.stringify({ name: 'history', isQuick, machine, figures }, null, 2)}\n`)
  if (readFileSync(path).length === 0) throw new Error('The results were not written.')
}

void main().finally(() => rmSync(root, { recursive: true, force: true }))
