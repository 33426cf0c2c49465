// Owns the row that tells the model which files changed since it last saw them (O-4): every name, and what changed as
// far as it fits. Pure. The row itself moves the baselines, of the files that it names and no others.
import { CHANGE_NOTICE_NAMES_CHARS } from '@common/constants'
import type { NewRow } from '@common/rows/row-schema'
import type { FileChange } from '../tools/changed-files'
import { shownName } from './shown-name'

/** The notice of these changes, of which there is at least one; files that do not fit are told another time. */
export function changeNoticeRow(changes: readonly FileChange[], id: string, nowMs: number): NewRow {
  const told = fitting(changes)
  const wait = changes.length - told.length
  const files = told.map(({ now }) => now)
  const text = [
    `${headOf(told)} changed on disk since you last saw ${told.length === 1 ? 'it' : 'them'}. ${WHO}`,
    ...told.map(entryOf),
    ...(wait === 0 ? [] : [`${wait} more changed files are named with the next message.`])
  ].join('\n\n')
  const machine = { type: 'file-change-notice', files }
  return {
    id,
    role: 'user',
    parts: [{ type: 'text', text }],
    metadata: { timestamp: nowMs, synthetic: true, uiVisible: true, machine }
  }
}

const WHO = 'The person, another program or a command did it; what you remember of the content is out of date.'

/** Names that the head shows; the rest follows below it. */
const HEAD_NAMES = 3

function headOf(told: readonly FileChange[]): string {
  const names = told.slice(0, HEAD_NAMES).map(({ now }) => shownName(now.path))
  if (told.length <= HEAD_NAMES) return names.join(', ')
  return `${names.join(', ')} and ${told.length - HEAD_NAMES} more files`
}

function fitting(changes: readonly FileChange[]): FileChange[] {
  let chars = 0
  return changes.filter(({ now }, index) => (chars += now.path.length) <= CHANGE_NOTICE_NAMES_CHARS || index === 0)
}

function entryOf(change: FileChange): string {
  const name = shownName(change.now.path)
  const { difference } = change
  if (difference.kind !== 'diff') return `${name}: ${wordsOf(change)}`
  const { diff, added, removed } = difference.diff
  const counts = `${name}: +${added} −${removed} lines`
  return difference.isLineEndsOnly ? `${counts}, only how they end` : `${counts}\n${diff}`
}

/** What became of a file that has no diff. */
function wordsOf({ before, now, difference }: FileChange): string {
  switch (now.content) {
    case 'none':
      return 'deleted, or moved elsewhere'
    case 'folder':
      return 'a folder is in its place'
    case 'link':
      return 'it is, or lies behind, a symbolic link now, which was not followed'
    case 'special':
      return 'it is no regular file any more'
    case 'unreadable':
      return 'it cannot be read any more'
  }
  const size = `${now.bytes ?? 0} bytes`
  if (before.bytes === undefined) return `the file is there again, ${size}`
  switch (difference.kind) {
    case 'binary':
      return `changed; binary, ${size}`
    case 'too-large':
      return now.content.startsWith('size:')
        ? `written again; too large to be compared, ${size}`
        : `changed; too large for a diff, ${size}`
    case 'no-room':
      return `changed, ${size}; there is no room for its diff here, so read it`
    case 'not-kept':
    case 'none':
    case 'diff':
      return `changed, ${size}; there is no diff, since the earlier text is not kept`
  }
}
