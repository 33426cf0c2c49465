// Owns which lines of a scan deserve to be parsed for a query: those that hold its needle in any spelling, those that
// name a file beside the row, and, where a floor may stand inside a window, those that may be a boundary.
import { createByteFilter, type ByteFilter } from './byte-filter'
import { exactPattern } from './byte-pattern'
import type { CompiledQuery } from './compile-query'
import { BOUNDARY_NEEDLE } from './floor-finder'

export interface LineFilter {
  /** What a scan reads into. */
  readonly buffer: Buffer
  /** False only for a line in which the query cannot be found, and which is no boundary where those are wanted. */
  passes(start: number, end: number): boolean
}

/** The order of the patterns; the needle's other spellings follow. */
const PATTERNS = { needle: 1, escape: 2, spill: 4, attachment: 8, boundary: 16 } as const
const ESCAPE = exactPattern('\\u')
/** Ends of `inputSpill` and `outputSpill`. */
const SPILL = exactPattern('tSpill"')
const ATTACHMENT = exactPattern('"attachment:')

/** A filter is shared by all searches of the process: use it before anything else may set it up anew. */
export function lineFilterFor({ needle }: CompiledQuery, wantsBoundaries: boolean): LineFilter {
  const filter = sharedFilter()
  const { run, others, maySpell } = needle
  if (run === null) return { buffer: filter.buffer, passes: () => true }
  filter.setPatterns([run, ESCAPE, SPILL, ATTACHMENT, BOUNDARY_NEEDLE, ...others])
  const all = 255 & ~(wantsBoundaries ? 0 : PATTERNS.boundary)
  return {
    buffer: filter.buffer,
    passes(start, end) {
      const found = filter.find(start, end, all)
      if (found !== PATTERNS.escape) return found !== 0
      return (
        maySpell(filter.buffer.toString('latin1', start, end)) || filter.find(start, end, all & ~PATTERNS.escape) !== 0
      )
    }
  }
}

let shared: ByteFilter | null = null

function sharedFilter(): ByteFilter {
  shared ??= createByteFilter()
  return shared
}
