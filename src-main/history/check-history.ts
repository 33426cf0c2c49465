// Owns what `doctor` finds wrong in a workspace's history: lines, an interrupted edit, receipt, window index, and what
// killed processes left. It reads and changes nothing; each finding says how it is put right.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { windowIdOf } from '@common/ids'
import { err, ok, type Result } from '@common/result'
import { isTemporaryName } from '../files/atomic-write'
import { fileErrorOf } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { findLock } from '../files/lock-owner'
import { listIfThere } from '../files/open-if-there'
import { mayBeRunning } from '../files/process-identity'
import { readReceipt } from './append-receipt'
import { checkLines, type LineFinding } from './check-lines'
import type { DamageFinding, Repair } from './damage-finding'
import { describeDifference } from './describe-difference'
import { readEditMarker } from './edit-marker'
import type { HistoryFiles } from './history-files'
import { isRepairable } from './repair-history'
import { verifyWindow } from './verify-window'
import { listWindows, windowInForce, windowPath } from './window-files'
import { WindowIndex } from './window-index'
import { NO_INDEX, readIndexFile } from './window-index-file'

/** How the findings are put right: the store is opened for it, so that every rule of writing is kept. */
export interface HistoryRepairs {
  /** Opens and closes the history, which finishes or undoes what a crash left. */
  recover(): Promise<Result<string, string>>
  /** Cuts unreadable lines; with `index` the window index is made anew too. */
  repair(wanted: { index: boolean }): Promise<Result<string, string>>
}

/** Throws the system's error. */
export async function checkHistory(files: HistoryFiles, repairs: HistoryRepairs): Promise<DamageFinding[]> {
  return [
    // Before anything opens the history for writing: that would write it anew without a copy.
    ...checkReceipt(files),
    ...checkMarker(files, repairs),
    ...(await checkLines(files)).map((finding) => lineFinding(files, finding, repairs)),
    ...(await checkIndex(files, repairs)),
    ...checkLocks(files),
    ...checkTemporaries(files)
  ]
}

const LINE_PROBLEMS: Readonly<Record<LineFinding['problem'], string>> = {
  unparsed: 'This line cannot be read; it is passed over.',
  'not-a-row': 'This line is no message; it is passed over.',
  oversized: 'This line is longer than a row may be; it is passed over.',
  'torn-tail': 'The last line was cut short by a crash or a full disk; it is passed over.',
  'unreadable-window': 'The first line of this window cannot be read, so the window is not in force.',
  'duplicate-id': 'Another row has the same id; both are shown.',
  'duplicate-sequence': 'Another row has the same sequence; both are shown, and named by their ids.',
  'missing-spill': 'The whole of a capped tool result or input is gone; its beginning and end are in the row.',
  'missing-attachment': 'An attached file is gone; the message itself is whole.',
  'changed-attachment': 'An attached file is not what it was, so it is not shown; the message itself is whole.'
}

function lineFinding(files: HistoryFiles, finding: LineFinding, repairs: HistoryRepairs): DamageFinding {
  const { window, line, problem, subject } = finding
  return {
    file: windowPath(files, window),
    line,
    problem: subject === '' ? LINE_PROBLEMS[problem] : `${LINE_PROBLEMS[problem]} (${subject})`,
    kept: 'The line stays as it is.',
    repair: isRepairable(finding) ? { key: 'lines', run: () => repairs.repair({ index: false }) } : null
  }
}

function checkMarker(files: HistoryFiles, repairs: HistoryRepairs): DamageFinding[] {
  const found = readEditMarker(files)
  if (found.kind === 'none') return []
  const fate =
    found.kind === 'damaged'
      ? 'Its note cannot be read, so the windows stay as they are.'
      : found.marker.state === 'committed'
        ? 'It counts, and is finished when the workspace is opened.'
        : 'It had not begun to change anything, and is undone when the workspace is opened.'
  return [
    {
      file: files.paths.editMarker,
      line: null,
      problem: `An edit of the history was interrupted. ${fate}`,
      kept: 'Rows that it cut are in cut-rows.jsonl.',
      repair: { key: 'recover', run: () => repairs.recover() }
    }
  ]
}

function checkReceipt(files: HistoryFiles): DamageFinding[] {
  const { fs, paths } = files
  if (fs.stat(paths.receipt) === null || readReceipt(files) !== null) return []
  return [
    {
      file: paths.receipt,
      line: null,
      problem: 'The append receipt cannot be read; the next append scans the history once and writes it anew.',
      kept: 'The file stays until then.',
      repair: removing(files, paths.receipt, { isCopied: true })
    }
  ]
}

async function checkIndex(files: HistoryFiles, repairs: HistoryRepairs): Promise<DamageFinding[]> {
  const { paths } = files
  const repair: Repair = { key: 'index', run: () => repairs.repair({ index: true }) }
  const stored = readIndexFile(files, NO_INDEX)
  const findings: DamageFinding[] = []
  const add = (file: string, line: number | null, problem: string): void =>
    void findings.push({ file, line, problem, kept: 'The file stays as it is.', repair })
  if (stored.isDamaged) add(paths.windowIndex, null, 'The window index cannot be read; it is made anew when needed.')
  const index = new WindowIndex(files)
  for (const { window } of index.missing())
    add(windowPath(files, window), null, `Window ${windowIdOf(window)} is in the index, but its file is gone.`)
  const current = windowInForce(files, listWindows(files))
  for (const entry of await index.refresh(current)) {
    const verdict = await verifyWindow(files, entry)
    if (verdict.kind === 'verified') continue
    const { line } = verdict.difference
    add(windowPath(files, entry.window), line, describeDifference(verdict.difference))
  }
  return findings
}

function checkLocks(files: HistoryFiles): DamageFinding[] {
  const { fs, paths } = files
  const names = listIfThere(fs, paths.root).filter((name) => /^(?:history|turn)\.lock(?:\.|$)/.test(name))
  return names.flatMap((name) => {
    const path = join(paths.root, name)
    const owner = findLock(fs, path)?.owner ?? null
    if (owner === null || mayBeRunning(owner)) return []
    return [
      {
        file: path,
        line: null,
        problem: `A process that is gone (${owner.pid}) left this lock; whoever comes next takes it over.`,
        kept: 'It holds nothing but the name of that process.',
        repair: removing(files, path, { isCopied: false })
      }
    ]
  })
}

function checkTemporaries(files: HistoryFiles): DamageFinding[] {
  const { fs, paths } = files
  // Somebody at work may be about to rename it.
  if ([paths.historyLock, paths.turnLock].some((lock) => isHeld(files, lock))) return []
  return [paths.root, paths.windows].flatMap((folder) =>
    listIfThere(fs, folder)
      .filter((name) => isTemporaryName(name))
      .map((name) => ({
        file: join(folder, name),
        line: null,
        problem: 'A write that never ended left this file; nothing ever reads it.',
        kept: 'What it was to replace is whole.',
        repair: removing(files, join(folder, name), { isCopied: false })
      }))
  )
}

function isHeld({ fs }: HistoryFiles, lock: string): boolean {
  const found = findLock(fs, lock)
  return found !== null && (found.owner === null || mayBeRunning(found.owner))
}

function removing({ fs }: HistoryFiles, path: string, { isCopied }: { isCopied: boolean }): Repair {
  return {
    key: `remove ${path}`,
    async run() {
      try {
        if (fs.stat(path) === null) return ok('Opening the workspace put it right.')
        const copied = isCopied ? await keepAside(path, await readFile(path)) : ok('It was of no use, and is removed.')
        if (!copied.ok) return err(copied.error.message)
        fs.unlink(path)
        return ok(copied.value)
      } catch (cause) {
        return err(fileErrorOf(cause, 'remove', path).message)
      }
    }
  }
}
