// Owns what an input brings along, right before it in the same append: a notice of files that changed since the model
// saw them (O-4), the skill that it loads (O-5), and snapshots of the files that it mentions (P-6). Reads files and keeps attachments; appends
// nothing. The rows are the record: while they are in no history, nothing of theirs counts as seen.
import { baselinesOf } from '@common/rows/file-baselines'
import { rowKindOf } from '@common/rows/row-kinds'
import { isKnownPart, type NewRow, type Row } from '@common/rows/row-schema'
import { SeenFile } from '@common/rows/seen-file'
import { changedFiles } from '../tools/changed-files'
import { changeNoticeRow } from './change-notice'
import { loadedSkillRow, type SkillSources } from './loaded-skill'
import { recallText } from './recall-text'
import { mentionedFileRows, type MentionSources } from './mentioned-files'

export interface CompanySources extends MentionSources, SkillSources {
  /** Rows of the window in force, without the input. */
  readonly windowRows: readonly Row[]
  newId(): string
}

/**
 * The rows that go before `input`, the notice first; none without an input. A window that begins with this input
 * takes skill and snapshots alone: in it the model has seen nothing that could have changed. Never fails for what is on
 * the disk.
 */
export async function companyOf(input: NewRow | null, sources: CompanySources): Promise<NewRow[]> {
  if (input === null) return []
  const isPersons = rowKindOf(input) === 'person'
  const text = isPersons ? textOf(input) : ''
  const skill = loadedSkillRow(text, input.id, sources)
  const snapshots = await mentionedFileRows(text, input.id, sources)
  const { windowRows } = sources
  const recall = (seen: SeenFile): Buffer | null => recallText(windowRows, seen)
  const changes = await changedFiles(baselinesOf(windowRows), { ...sources, now: () => sources.now(), recall })
  // A snapshot of the whole file says what is in it now.
  const given = new Set(snapshots.flatMap(wholePathOf))
  const untold = changes.filter(({ now }) => !given.has(now.path))
  const notice = untold.length === 0 ? [] : [changeNoticeRow(untold, sources.newId(), sources.now())]
  return [...notice, ...(skill === null ? [] : [skill]), ...snapshots]
}

function wholePathOf({ metadata }: NewRow): string[] {
  const seen = SeenFile.safeParse(metadata.machine?.['seen'])
  return seen.success && seen.data.isPart !== true ? [seen.data.path] : []
}

function textOf({ parts }: NewRow): string {
  return parts.flatMap((part) => (isKnownPart(part) && part.type === 'text' ? [part.text] : [])).join('\n')
}
