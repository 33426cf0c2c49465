// Owns which spills and attachments a copied history takes along: those that its rows name, found in raw bytes. A
// name that stands in a text by chance takes a file too many, never one too few.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { SCAN_STEP_BYTES } from '@common/constants'
import { PRIVATE_FILE_MODE } from '../files/app-paths'
import { makePrivateFolder } from '../files/make-private-folder'
import { listIfThere, openIfThere } from '../files/open-if-there'
import { closeQuietly } from './close-quietly'
import type { HistoryFiles } from './history-files'
import { allocateScanBuffer } from './scan-buffer'
import { windowPath } from './window-files'

const NAME = /attachment:([0-9a-f]{64})|"id"\s{0,8}:\s{0,8}"([0-9a-f]{64}|log-[0-9a-f]{16})"/g
/** Longer than any of these names with what stands around it. */
const OVERLAP_BYTES = 128
const STEPS_A_TURN = 8

/** `windows` are those of the target. Throws the system's error. */
export async function copyReferencedFiles(
  files: HistoryFiles,
  target: HistoryFiles,
  windows: readonly number[]
): Promise<void> {
  const { fs } = files
  const spills = new Set(listIfThere(fs, files.paths.spill))
  const attachments = new Set(listIfThere(fs, files.paths.attachments))
  if (spills.size + attachments.size === 0) return
  const named = await namesIn(target, windows)
  await copyNamed(files, { from: files.paths.spill, to: target.paths.spill, there: spills }, named.spills)
  await copyNamed(
    files,
    { from: files.paths.attachments, to: target.paths.attachments, there: attachments },
    named.attachments
  )
}

export interface NamedFiles {
  readonly attachments: ReadonlySet<string>
  readonly spills: ReadonlySet<string>
}

/** Names of spills and attachments in the rows of these windows. Throws the system's error. */
export async function namesIn(files: HistoryFiles, windows: readonly number[]): Promise<NamedFiles> {
  const attachments = new Set<string>()
  const spills = new Set<string>()
  for (const window of windows) {
    const descriptor = openIfThere(files.fs, windowPath(files, window))
    if (descriptor === null) continue
    try {
      const buffer = allocateScanBuffer(SCAN_STEP_BYTES + OVERLAP_BYTES)
      let held = 0
      for (let at = 0, steps = 1; ; steps++) {
        const count = files.fs.read(descriptor, buffer, held, SCAN_STEP_BYTES, at)
        if (count === 0) break
        at += count
        const end = held + count
        for (const [, attachment, spill] of buffer.toString('latin1', 0, end).matchAll(NAME)) {
          if (attachment !== undefined) attachments.add(attachment)
          if (spill !== undefined) spills.add(spill)
        }
        held = Math.min(OVERLAP_BYTES, end)
        buffer.copyWithin(0, end - held, end)
        if (steps % STEPS_A_TURN === 0) await setImmediate()
      }
    } finally {
      closeQuietly(files, descriptor)
    }
  }
  return { attachments, spills }
}

async function copyNamed(
  { fs }: HistoryFiles,
  { from, to, there }: { from: string; to: string; there: ReadonlySet<string> },
  names: ReadonlySet<string>
): Promise<void> {
  const wanted = [...names].filter((name) => there.has(name))
  if (wanted.length > 0) makePrivateFolder(fs, to)
  for (const name of wanted) {
    await fs.copyFile(join(from, name), join(to, name))
    fs.setPathMode(join(to, name), PRIVATE_FILE_MODE)
  }
}
