// A spill store on real files, as small as can be: for tests of the tools alone.
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SpillStore } from '../tool-types'

export interface DiskSpill extends SpillStore {
  /** How many spills were begun. */
  count(): number
  textOf(id: string): string
}

export function diskSpill(folder: string): DiskSpill {
  mkdirSync(folder, { recursive: true })
  let made = 0
  const fileOf = (id: string): string => path.join(folder, id)
  return {
    count: () => made,
    textOf: (id) => readFileSync(fileOf(id), 'utf8'),
    pathOf: (id) => (/^s\d+$/.test(id) && existsSync(fileOf(id)) ? fileOf(id) : null),
    write(content, mediaType) {
      const id = `s${++made}`
      writeFileSync(fileOf(id), content)
      return Promise.resolve({ id, bytes: statSync(fileOf(id)).size, ...(mediaType ? { mediaType } : {}) })
    },
    openStream() {
      const id = `s${++made}`
      writeFileSync(fileOf(id), '')
      return {
        id,
        path: fileOf(id),
        append: (chunk) => appendFileSync(fileOf(id), chunk),
        finish: () => Promise.resolve({ id, bytes: statSync(fileOf(id)).size })
      }
    }
  }
}
