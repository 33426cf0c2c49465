// Owns putting a damaged history right, at a person's wish alone (doctor --repair). Each file is first copied aside;
// lines that cannot be read go into cut-rows.jsonl; a window whose first line is lost begins with a plain reset.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { err, ok, type Result } from '@common/result'
import { fileErrorOf } from '../files/file-error'
import { keepAside } from '../files/keep-aside'
import { checkLines, type LineFinding } from './check-lines'
import type { EditPart, FilePlan } from './edit-plan'
import { carryOut, type EditTools } from './history-edits'
import type { HistoryError } from './history-error'
import { listWindows, windowInForce, windowPath } from './window-files'

/** A line that a reader passes over. */
const UNREADABLE: ReadonlySet<string> = new Set([
  'unparsed',
  'not-a-row',
  'oversized',
  'torn-tail',
  'unreadable-window'
])

/** True for a finding that `repairHistory` takes away. */
export function isRepairable({ problem }: LineFinding): boolean {
  return UNREADABLE.has(problem)
}

/** Answers where the copies are. Called under the write lock. */
export async function repairHistory(
  tools: EditTools,
  { index }: { index: boolean }
): Promise<Result<string[], HistoryError>> {
  const { files, writer } = tools
  await writer.catchUp()
  const copies: string[] = []
  const entries = await tools.index.refresh(writer.window)
  // Rows went on in an older window meanwhile: a boundary in the middle of them would hide what is newer.
  const isPassedBy = (window: number): boolean =>
    entries.some((entry) => entry.window < window && (entry.lastSequence ?? 0) > window)
  const damaged = (await checkLines(files)).filter(
    (finding) => isRepairable(finding) && !(finding.problem === 'unreadable-window' && isPassedBy(finding.window))
  )
  for (const window of new Set(damaged.map((finding) => finding.window))) {
    const path = windowPath(files, window)
    const copied = await copyAside(path)
    if (!copied.ok) return copied
    copies.push(copied.value)
    const plan = planOf(window, files.fs.stat(path)?.size ?? 0, damaged)
    const done = await carryOut(tools, { kind: 'repair', files: [plan] })
    if (!done.ok) return done
  }
  if (index) {
    const copied = files.fs.stat(files.paths.windowIndex) === null ? null : await copyAside(files.paths.windowIndex)
    if (copied?.ok === false) return copied
    if (copied !== null) copies.push(copied.value)
    await tools.index.rebuild(windowInForce(files, listWindows(files)))
  }
  return ok(copies)
}

function planOf(window: number, size: number, damaged: readonly LineFinding[]): FilePlan {
  const parts: EditPart[] = []
  let at = 0
  for (const { byteOffset, endOffset, problem } of damaged.filter((finding) => finding.window === window)) {
    if (byteOffset > at) parts.push({ kind: 'keep', from: at, to: byteOffset })
    parts.push({ kind: 'cut', from: byteOffset, to: endOffset })
    if (problem === 'unreadable-window') parts.push({ kind: 'put', text: `${resetLine(window)}\n` })
    at = endOffset
  }
  if (size > at) parts.push({ kind: 'keep', from: at, to: size })
  return { window, parts }
}

/** A plain reset: of all boundaries it lets the least through, and it claims nothing about what was lost. */
function resetLine(window: number): string {
  return JSON.stringify({
    id: randomUUID(),
    role: 'assistant',
    parts: [],
    metadata: { contextBoundaryKind: 'reset', historySequence: window }
  })
}

async function copyAside(path: string): Promise<Result<string, HistoryError>> {
  try {
    const bytes = await readFile(path)
    const copied = await keepAside(path, bytes)
    return copied.ok ? copied : err(copied.error)
  } catch (cause) {
    return err(fileErrorOf(cause, 'copy the file aside', path))
  }
}
