// Owns the instructions that go into the system prompt: AGENTS.md, else CLAUDE.md, of the home folder
// and of the project's root. Together at most 32 KiB; what is cut says so. They are frozen per window elsewhere.
import path from 'node:path'
import { MAX_INSTRUCTIONS_BYTES } from '@common/constants'
import { readFolderFile } from './read-folder-file'

export interface Instructions {
  readonly path: string
  readonly text: string
}

export interface InstructionPlaces {
  /** `$TIDEMARK_HOME`. */
  readonly homeDir: string
  readonly projectDir: string
}

const NAMES = ['AGENTS.md', 'CLAUDE.md']

/** The home folder's instructions, then the project's; a folder without any is left out. */
export async function loadInstructions({ homeDir, projectDir }: InstructionPlaces): Promise<Instructions[]> {
  const [home, project] = await Promise.all([firstOf(homeDir, null), firstOf(projectDir, projectDir)])
  // The project's own count for more: the home folder's take what they leave, and half at least.
  const left = MAX_INSTRUCTIONS_BYTES - (project?.totalBytes ?? 0)
  const cutHome = home === null ? null : cut(home, Math.max(left, MAX_INSTRUCTIONS_BYTES / 2))
  const used = cutHome === null ? 0 : Buffer.byteLength(cutHome.text)
  const cutProject = project === null ? null : cut(project, MAX_INSTRUCTIONS_BYTES - used)
  return [cutHome, cutProject].filter((found): found is Instructions => found !== null)
}

interface Found extends Instructions {
  readonly totalBytes: number
}

/** The first of the names that is there and says something. A link out of `within` counts as not there. */
async function firstOf(dir: string, within: string | null): Promise<Found | null> {
  for (const name of NAMES) {
    const file = path.join(dir, name)
    const read = await readFolderFile(file, within, MAX_INSTRUCTIONS_BYTES)
    if (read.kind === 'read' && read.text.trim() !== '')
      return { path: file, text: read.text, totalBytes: read.totalBytes }
  }
  return null
}

function cut({ path: file, text, totalBytes }: Found, maxBytes: number): Instructions {
  if (totalBytes <= maxBytes) return { path: file, text }
  const marker = `\n[… cut here: the file has ${totalBytes} bytes; read the rest of it with file_read …]\n`
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes - Buffer.byteLength(marker)))
  return { path: file, text: new TextDecoder('utf-8').decode(bytes, { stream: true }) + marker }
}
