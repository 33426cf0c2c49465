// Owns what an edit does to the window files, as byte ranges: what is kept stays byte for byte what it was, damaged
// lines and reset rows too. Pure; `transact-edit` carries it out.
import type { RowPlace } from './locate-row'

export type EditKind = 'truncate' | 'delete' | 'clear' | 'amend' | 'repair'

export type EditPart =
  | { readonly kind: 'keep'; readonly from: number; readonly to: number }
  /** Goes into cut-rows.jsonl. */
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  /** Makes room for what is put in its place; the place of an amended row's old line. */
  | { readonly kind: 'drop'; readonly from: number; readonly to: number }
  /** New bytes: whole lines. */
  | { readonly kind: 'put'; readonly text: string }

/** The whole file of a window, part by part in order. Without a part that stays the file is removed. */
export interface FilePlan {
  readonly window: number
  readonly parts: readonly EditPart[]
}

export interface EditPlan {
  readonly kind: EditKind
  /** Oldest window first. */
  readonly files: readonly FilePlan[]
}

/** True when nothing of the file stays. */
export function isRemoved({ parts }: Pick<FilePlan, 'parts'>): boolean {
  return parts.every(({ kind }) => kind === 'cut' || kind === 'drop')
}

/** Cuts this row and everything after it; `sizes` are those of the later windows' files. */
export function truncatePlan(place: RowPlace, sizes: ReadonlyMap<number, number>): EditPlan {
  const own = { window: place.window, parts: ranges([keep(0, place.byteOffset), cut(place.byteOffset, place.size)]) }
  return { kind: 'truncate', files: [own, ...wholeFiles(place.laterWindows, sizes)] }
}

/** Cuts this one row. */
export function deletePlan({ window, byteOffset, endOffset, size }: RowPlace): EditPlan {
  const parts = ranges([keep(0, byteOffset), cut(byteOffset, endOffset), keep(endOffset, size)])
  return { kind: 'delete', files: [{ window, parts }] }
}

/** Cuts everything. */
export function clearPlan(sizes: ReadonlyMap<number, number>): EditPlan {
  return {
    kind: 'clear',
    files: wholeFiles(
      [...sizes.keys()].toSorted((a, b) => a - b),
      sizes
    )
  }
}

/** Puts `line` in the place of this row's. */
export function amendPlan({ window, byteOffset, endOffset, size }: RowPlace, line: string): EditPlan {
  const put: EditPart = { kind: 'put', text: `${line}\n` }
  const dropped: EditPart = { kind: 'drop', from: byteOffset, to: endOffset }
  return {
    kind: 'amend',
    files: [{ window, parts: [...ranges([keep(0, byteOffset)]), dropped, put, ...ranges([keep(endOffset, size)])] }]
  }
}

function wholeFiles(windows: readonly number[], sizes: ReadonlyMap<number, number>): FilePlan[] {
  return windows.map((window) => ({ window, parts: [cut(0, sizes.get(window) ?? 0)] }))
}

function keep(from: number, to: number): EditPart & { kind: 'keep' } {
  return { kind: 'keep', from, to }
}

function cut(from: number, to: number): EditPart & { kind: 'cut' } {
  return { kind: 'cut', from, to }
}

/** Without the empty ones. */
function ranges(parts: readonly (EditPart & { from: number; to: number })[]): EditPart[] {
  return parts.filter(({ from, to }) => to > from)
}
