// Owns the temporary folders of a benchmark: all under one root, gone when the process ends.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | null = null

/** A new folder of this name. */
export function temporaryFolder(name: string): string {
  if (root === null) {
    const made = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
    root = made
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  }
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
