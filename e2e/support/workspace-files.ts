// Owns looking at a home from outside of the app: what stands in the files of its one workspace.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder of the only workspace of a home. */
export async function workspaceFolder(home: string): Promise<string> {
  const ids = await readdir(join(home, 'workspaces'))
  if (ids.length !== 1 || ids[0] === undefined) throw new Error(`${home} has ${ids.length} workspaces`)
  return join(home, 'workspaces', ids[0])
}

/** A file of the only workspace; empty while it is not there. */
export async function fileOfWorkspace(home: string, name: string): Promise<string> {
  try {
    return await readFile(join(await workspaceFolder(home), name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
