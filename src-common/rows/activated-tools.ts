// Owns which deferred tools the calls of a window activated (P-4), as its rows tell it: a new window begins with none, and
// an edit or a restart leaves nothing to clear. Pure.
import { z } from 'zod'
import { type Row, toolPartsOf } from './row-schema'

const Names = z.array(z.string())

/** Names of the tools that these rows, of one window, activated. */
export function activatedToolsOf(windowRows: readonly Row[]): ReadonlySet<string> {
  return new Set(
    windowRows.flatMap(toolPartsOf).flatMap(({ activates }) => {
      const names = Names.safeParse(activates)
      return names.success ? names.data : []
    })
  )
}
