// Owns what the window index says after an edit, from what it said before and from the lines that the edit took.
import { isRemoved, type EditPlan, type FilePlan } from './edit-plan'
import type { HistoryFiles } from './history-files'
import { hashAt, type HashList, lineHash } from './line-hash'
import { rebasedHashes } from './rebase-hashes'
import { entryOfScan, scanWindowLines, type ScannedLines } from './scan-window-lines'
import type { WindowEntry } from './window-entry'
import { listWindows, windowInForce } from './window-files'
import type { WindowIndex } from './window-index'

/** A window whose file stays, as it was noted and as it was found right before the edit. */
export interface LinesBefore {
  readonly noted: WindowEntry
  readonly found: ScannedLines
}

/** Of every window that the plan changes and does not remove whole. Throws the system's error. */
export async function linesBefore(
  files: HistoryFiles,
  index: WindowIndex,
  plan: EditPlan,
  current: number
): Promise<Map<number, LinesBefore>> {
  const before = new Map<number, LinesBefore>()
  for (const file of plan.files) {
    const { window } = file
    const noted = isRemoved(file) ? null : await index.entryOf(window, current)
    const found = noted === null ? null : await scanWindowLines(files, window)
    if (noted !== null && found !== null) before.set(window, { noted, found })
  }
  return before
}

/** Entries for the index after the edit: null for windows that are gone. Throws the system's error. */
export async function entriesOfEdit(
  files: HistoryFiles,
  plan: EditPlan,
  before: ReadonlyMap<number, LinesBefore>
): Promise<Map<number, WindowEntry | null>> {
  const current = windowInForce(files, listWindows(files))
  const entries = new Map<number, WindowEntry | null>()
  for (const file of plan.files) {
    const scan = isRemoved(file) ? null : await scanWindowLines(files, file.window)
    const lines = before.get(file.window)
    if (scan === null) entries.set(file.window, null)
    else {
      const entry = entryOfScan(file.window, scan, file.window !== current)
      const hashes = lines === undefined || plan.kind === 'repair' ? entry.hashes : rebased(file, lines)
      entries.set(file.window, { ...entry, hashes })
    }
  }
  return entries
}

function rebased(file: FilePlan, { noted, found }: LinesBefore): HashList {
  const hashes = Buffer.concat(found.lines.map(({ hash }) => hash))
  const indexesIn = (kind: 'cut' | 'drop'): number[] =>
    file.parts.flatMap((part) =>
      part.kind === kind
        ? found.lines.flatMap(({ byteOffset }, index) =>
            byteOffset >= part.from && byteOffset < part.to ? [index] : []
          )
        : []
    )
  const put = file.parts.flatMap((part) =>
    part.kind === 'put' ? [hashAt(lineHash(Buffer.from(part.text.slice(0, -1))), 0)] : []
  )
  const replaced = new Map(indexesIn('drop').map((index, at) => [index, put[at] ?? '']))
  return rebasedHashes(noted.hashes, hashes, { cut: indexesIn('cut'), replaced })
}
