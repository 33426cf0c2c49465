// Owns what there is to carry over a compaction (K-1): from the project's disk, the workspace and the window's rows.
// Reads alone; whatever the disk says, it answers.
import { realpath } from 'node:fs/promises'
import { planFileOf } from '@common/agents/protected-paths'
import { MAX_CARRIED_FILES, MAX_CARRIED_PLAN_BYTES } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import { skillNamesOf } from '@common/rows/skill-names'
import { editedFilesOf, type EditedFile } from '../compaction/edited-files'
import type { CarriedFile, CarriedPlan, CarrySources } from '../compaction/post-compaction-context'
import { systemCodeOf } from '../files/file-error'
import { contentOf } from '../tools/file-content'
import { binaryKindOf } from '../tools/file-kind'
import { lookAtFile, type LookAround } from '../tools/look-at-file'
import { readGuarded } from '../tools/open-guarded'
import { guardPath } from '../tools/path-guard'
import { isFollowed, sightOfRead } from '../tools/sighting'
import type { OpenedSession, SessionDeps } from './session-deps'

export type CarryDeps = Pick<SessionDeps, 'clock'>
export type CarryPlace = Pick<OpenedSession, 'seenFiles'> & {
  readonly workspace: { readonly file: OpenedSession['workspace']['file'] }
}

/** Files looked at side by side. */
const AT_ONCE = 16

/** All that a compaction of these rows could carry now, whatever the person's switches say. */
export async function carrySourcesOf(
  { clock }: CarryDeps,
  { workspace, seenFiles }: CarryPlace,
  windowRows: readonly Row[]
): Promise<CarrySources> {
  const { id, projectPath, todo } = workspace.file
  const root = await rootOf(projectPath)
  const planPath = planFileOf(id)
  // The plan is carried whole, so what was changed in it need not be.
  const edited = editedFilesOf(windowRows).filter(({ path }) => path !== planPath)
  const around = { seenFiles, now: () => clock.now() }
  return {
    plan: root === null ? null : await readPlan(planPath, { ...around, root }),
    files: root === null ? [] : await stillEdited(edited.slice(0, MAX_CARRIED_FILES), { ...around, root }),
    todo,
    skillNames: skillNamesOf(windowRows)
  }
}

async function rootOf(projectPath: string): Promise<string | null> {
  try {
    return await realpath(projectPath)
  } catch (cause) {
    if (systemCodeOf(cause) === null) throw cause
    return null
  }
}

async function readPlan(planPath: string, { root, seenFiles, now }: LookAround): Promise<CarriedPlan | null> {
  const guarded = await guardPath(root, planPath)
  if (!guarded.ok) return { path: planPath, problem: guarded.error }
  // What a link leads to is not this workspace's plan.
  if (!isFollowed(guarded.value) || guarded.value.relative !== planPath) return null
  const read = await readGuarded(guarded.value, MAX_CARRIED_PLAN_BYTES)
  if (!read.ok) return read.error.kind === 'missing' ? null : { path: planPath, problem: read.error.message }
  const { bytes, stats } = read.value
  if (binaryKindOf(bytes) !== null) return { path: planPath, problem: 'it is no text.' }
  const content = { content: contentOf(bytes), bytes }
  const seen = { ...sightOfRead(guarded.value, stats, content, seenFiles), seenAtMs: now() }
  return { path: planPath, content: bytes.toString('utf8'), modifiedMs: stats.mtimeMs, seen }
}

/** Without the files that are gone or as they were before, as the disk says. */
async function stillEdited(files: readonly EditedFile[], around: LookAround): Promise<CarriedFile[]> {
  const carried: CarriedFile[] = []
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const batch = files.slice(at, at + AT_ONCE)
    const found = await Promise.all(batch.map((file) => asItIs(file, around)))
    carried.push(...found.filter((file) => file !== null))
  }
  return carried
}

async function asItIs(file: EditedFile, around: LookAround): Promise<CarriedFile | null> {
  const { before, seen } = file
  // Outside of the project nothing is looked at.
  if (seen === null) return { ...file, isChangedSince: false }
  const { content } = (await lookAtFile(seen, around)).seen
  if (content === 'none' || content === before) return null
  return { ...file, isChangedSince: content !== seen.content }
}
