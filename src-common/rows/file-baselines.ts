// Owns what the model last saw of each file (O-4), as the rows of its window tell it. Pure.
// There is no other record: a new window begins without baselines, but for the plan that a compaction carried into it
// (K-5); an edit that cuts rows takes theirs along, a copied snapshot brings its own (P-7), and after a restart
// everything is as it was.
import { z } from 'zod'
import { rowKindOf } from './row-kinds'
import { isKnownPart, type PostCompactionContext, type Row } from './row-schema'
import { SeenFile } from './seen-file'

/** By path; what was seen last stands last. */
export type FileBaselines = ReadonlyMap<string, SeenFile>

/** The baselines after these rows, which must be those of one window, oldest first. */
export function baselinesOf(rows: readonly Row[]): FileBaselines {
  const baselines = new Map<string, SeenFile>()
  for (const row of rows) for (const step of sightingsOf(row)) takeStep(baselines, step)
  return baselines
}

/** What a row records, by step: calls of one step run side by side. */
function sightingsOf(row: Row): SeenFile[][] {
  const { machine } = row.metadata
  const kind = rowKindOf(row)
  if (kind === 'compaction-summary') return [readSightings([carriedPlanOf(row)?.['seen']])]
  if (kind === 'prelude') return [readSightings([machine?.['seen']])]
  if (kind === 'file-change-notice') return [readSightings(machine?.['files'])]
  const steps: unknown[][] = [[]]
  for (const part of row.parts) {
    if (!isKnownPart(part)) continue
    if (part.type === 'step') steps.push([])
    if (part.type === 'dynamic-tool' && part['seen'] !== undefined) steps.at(-1)?.push(part['seen'])
  }
  return steps.map(readSightings)
}

/** The plan that the window was given behind this boundary; null where it carries none or is left out (K-4). */
export function carriedPlanOf({ metadata }: Row): NonNullable<PostCompactionContext['plan']> | null {
  const { plan, omittedFromRequest } = metadata.postCompactionContext ?? {}
  return plan === undefined || omittedFromRequest !== undefined ? null : plan
}

function readSightings(stored: unknown): SeenFile[] {
  const list = z.array(z.unknown()).safeParse(stored)
  if (!list.success) return []
  return list.data.flatMap((value) => {
    const seen = SeenFile.safeParse(value)
    return seen.success ? [seen.data] : []
  })
}

/** In the order of time; an edit whose ground another call of the step laid is taken once that one was. */
function takeStep(baselines: Map<string, SeenFile>, step: readonly SeenFile[]): void {
  let waiting = step.toSorted((a, b) => a.seenAtMs - b.seenAtMs)
  for (;;) {
    const left = waiting.filter((seen) => !take(baselines, seen))
    if (left.length === waiting.length) return
    waiting = left
  }
}

/** False for an edit of a content that the model did not see: what else changed is still to be told. */
function take(baselines: Map<string, SeenFile>, seen: SeenFile): boolean {
  const known = baselines.get(seen.path)
  const isOther = known !== undefined && known.content !== seen.content
  if (isOther && seen.before !== undefined && seen.before !== known.content) return false
  // A part of a changed file does not show the change.
  if (isOther && seen.isPart === true && known.bytes !== undefined) return true
  baselines.delete(seen.path)
  baselines.set(seen.path, seen)
  return true
}
