// The real spill store on a folder of its own, with what a test asks it besides.
import { readFileSync } from 'node:fs'
import { openSpill } from '../../history/spill'
import type { SpillStore } from '../tool-types'

export interface DiskSpill extends SpillStore {
  /** How many spills were begun. */
  count(): number
  textOf(id: string): string
}

export function diskSpill(folder: string): DiskSpill {
  const spill = openSpill(folder)
  let begun = 0
  return {
    count: () => begun,
    textOf: (id) => readFileSync(spill.pathOf(id) ?? '', 'utf8'),
    pathOf: (id) => spill.pathOf(id),
    write(content, mediaType) {
      begun++
      return spill.write(content, mediaType)
    },
    openStream() {
      begun++
      return spill.openStream()
    }
  }
}
