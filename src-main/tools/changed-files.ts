// Owns finding which files are not as the model last saw them (O-4). Reads; changes nothing but what is remembered to
// be quicker the next time.
import { realpath } from 'node:fs/promises'
import {
  CHANGE_NOTICE_DIFFS_CHARS,
  CHANGE_NOTICE_FILE_DIFF_CHARS,
  MAX_SEEN_FILES,
  SEEN_TEXT_MAX_BYTES
} from '@common/constants'
import type { FileBaselines } from '@common/rows/file-baselines'
import type { SeenFile } from '@common/rows/seen-file'
import { systemCodeOf } from '../files/file-error'
import { changeDiff, type ChangeDiff } from './change-diff'
import { binaryKindOf } from './file-kind'
import { lookAtFile, type Looked } from './look-at-file'
import type { SeenFiles } from './seen-files'

export interface FileChange {
  /** As the model last saw it, and as it is. */
  readonly before: SeenFile
  readonly now: SeenFile
  readonly difference: Difference
}

export type Difference =
  /** `isLineEndsOnly`: nothing but how lines end differs. */
  | { readonly kind: 'diff'; readonly diff: ChangeDiff; readonly isLineEndsOnly: boolean }
  | { readonly kind: 'binary' | 'too-large' | 'not-kept' }
  /** The diffs of other files took all the room. */
  | { readonly kind: 'no-room' }
  /** There is no content on one side. */
  | { readonly kind: 'none' }

export interface ChangeSearch {
  readonly projectRoot: string
  readonly seenFiles: SeenFiles
  now(): number
  /** Finds a text again that memory does not hold; null where that is not possible. */
  recall(seen: SeenFile): Buffer | null
}

/** Files looked at side by side. */
const AT_ONCE = 16
/** A diff for which less is left is not made. */
const MIN_DIFF_CHARS = 200

/** The changed files in the order of their baselines; none when the project's folder is not there. */
export async function changedFiles(baselines: FileBaselines, search: ChangeSearch): Promise<FileChange[]> {
  const root = await rootOf(search.projectRoot)
  if (root === null) return []
  const followed = [...baselines.values()].slice(-MAX_SEEN_FILES)
  const changes: FileChange[] = []
  let room = CHANGE_NOTICE_DIFFS_CHARS
  for (let at = 0; at < followed.length; at += AT_ONCE) {
    const batch = followed.slice(at, at + AT_ONCE)
    const looks = await Promise.all(batch.map((before) => lookAtFile(before, { ...search, root })))
    for (const [index, before] of batch.entries()) {
      const looked = looks[index]
      if (looked === undefined || looked.seen.content === before.content) continue
      const change = changeOf(before, looked, search, room)
      if (change.difference.kind === 'diff') room -= change.difference.diff.diff.length
      changes.push(change)
    }
  }
  return changes
}

async function rootOf(projectRoot: string): Promise<string | null> {
  try {
    return await realpath(projectRoot)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return null
  }
}

function changeOf(before: SeenFile, looked: Looked, { seenFiles, recall }: ChangeSearch, room: number): FileChange {
  const old = seenFiles.textOf(before.content) ?? recall(before)
  const bytes = looked.bytes ?? seenFiles.textOf(looked.seen.content)
  if (bytes !== null) seenFiles.keepText(looked.seen.content, bytes)
  return { before, now: looked.seen, difference: differenceOf(before, { ...looked, bytes }, old, room) }
}

function differenceOf(before: SeenFile, { seen, bytes }: Looked, old: Buffer | null, room: number): Difference {
  if (before.bytes === undefined || seen.bytes === undefined) return { kind: 'none' }
  if (bytes === null && seen.bytes > SEEN_TEXT_MAX_BYTES) return { kind: 'too-large' }
  if (bytes === null || old === null)
    return { kind: bytes !== null && binaryKindOf(bytes) !== null ? 'binary' : 'not-kept' }
  if (binaryKindOf(bytes) !== null || binaryKindOf(old) !== null) return { kind: 'binary' }
  if (room < MIN_DIFF_CHARS) return { kind: 'no-room' }
  const [then, now] = [old.toString('utf8'), bytes.toString('utf8')]
  const diff = changeDiff(seen.path, then, now, Math.min(CHANGE_NOTICE_FILE_DIFF_CHARS, room))
  return { kind: 'diff', diff, isLineEndsOnly: then.replaceAll('\r\n', '\n') === now.replaceAll('\r\n', '\n') }
}
