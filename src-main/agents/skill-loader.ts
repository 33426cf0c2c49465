// Owns which skills there are (O-5): the person's own, and those of a trusted project; each a folder with a SKILL.md.
// A file that cannot be read is told with file and line and passed over; it never keeps the others away, and a skill
// never takes the place of another one or of a command.
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { MAX_SKILL_FILE_BYTES, MAX_SKILLS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { systemCodeOf } from '../files/file-error'
import { foldName } from './plain-name'
import { isBelow, namesIn, readFolderFile } from './read-folder-file'
import { readSkillFile, type SkillText } from './skill-file'

export interface Skill extends SkillText {
  readonly source: 'home' | 'project'
  /** Its SKILL.md as file_read takes it: from the project with forward slashes, or absolute. */
  readonly path: string
  /** Where its folder really is: what file_read may open of it without asking. */
  readonly folder: string
}

export interface SkillPlaces {
  /** The person's own folder of skills (`$TIDEMARK_HOME/skills`). */
  readonly homeDir: string
  /** The project's root, null without a project. */
  readonly projectDir: string | null
  /** Did the person allow this project's own skills? Without that none of them is even read. */
  readonly projectTrusted: boolean
  /** Names of the app's commands, which come first. */
  readonly commandNames: readonly string[]
}

export interface LoadedSkills {
  /** The person's first, then the project's, each by folder. */
  readonly skills: readonly Skill[]
  /** `file:line: what is wrong`, one sentence each. */
  readonly problems: readonly string[]
}

interface Folder {
  readonly dir: string
  readonly source: Skill['source']
  /** The SKILL.md of one of its folders as file_read takes it. */
  pathOf(name: string): string
  /** What no folder in it may lead out of; null where the person may link skills in from anywhere. */
  readonly within: string | null
}

const FILE = 'SKILL.md'

/** Reads all skills. Never rejects for what a file holds. */
export async function loadSkills(places: SkillPlaces): Promise<LoadedSkills> {
  const skills: Skill[] = []
  const problems: string[] = []
  const takenBy = new Map(places.commandNames.map((name) => [foldName(name), `the command /${name}`]))
  for (const folder of foldersOf(places))
    for (const loaded of await readFolder(folder)) {
      const folded = typeof loaded === 'string' ? '' : foldName(loaded.name)
      const rival = takenBy.get(folded)
      if (typeof loaded === 'string') problems.push(loaded)
      else if (rival === undefined) {
        skills.push(loaded)
        takenBy.set(folded, `the ${WORDS[loaded.source]} skill “${loaded.name}”`)
      } else problems.push(`${loaded.path}:1: ${rival} has this name already; rename the skill.`)
    }
  return { skills, problems }
}

const WORDS: Readonly<Record<Skill['source'], string>> = { home: 'personal', project: 'project’s' }

function foldersOf({ homeDir, projectDir, projectTrusted }: SkillPlaces): Folder[] {
  const home: Folder = {
    dir: homeDir,
    source: 'home',
    within: null,
    pathOf: (name) => path.join(homeDir, name, FILE)
  }
  if (projectDir === null || !projectTrusted) return [home]
  const project: Folder = {
    dir: path.join(projectDir, '.tidemark', 'skills'),
    source: 'project',
    within: projectDir,
    pathOf: (name) => `.tidemark/skills/${name}/${FILE}`
  }
  return [home, project]
}

/** Skills, and problems as text, by folder name. */
async function readFolder(folder: Folder): Promise<(Skill | string)[]> {
  const names = await namesIn(folder.dir)
  if (!names.ok) return [names.error]
  const loaded = await Promise.all(names.value.slice(0, MAX_SKILLS).map((name) => readOne(folder, name)))
  const left = names.value.length - MAX_SKILLS
  const found = loaded.filter((each) => each !== null)
  return left > 0 ? [...found, `${folder.dir}: ${left} more skills were not read.`] : found
}

/** Null for a folder that is no skill. Its SKILL.md may not lead out of it. */
async function readOne({ dir, source, within, pathOf }: Folder, name: string): Promise<Skill | string | null> {
  const file = path.join(dir, name, FILE)
  const folder = await realFolderOf(path.dirname(file), within)
  if (folder === null) return null
  if (!folder.ok) return `${file}:1: ${folder.error}.`
  const read = await readFolderFile(file, folder.value, MAX_SKILL_FILE_BYTES)
  if (read.kind === 'missing') return null
  if (read.kind === 'refused') return `${file}:1: ${read.message}.`
  if (read.totalBytes > MAX_SKILL_FILE_BYTES)
    return `${file}:1: it has ${read.totalBytes} bytes, over the ${MAX_SKILL_FILE_BYTES} of a skill; put the rest into files beside it.`
  if (/\p{C}/u.test(name)) return `${JSON.stringify(file)}:1: the folder’s name holds characters that do not show.`
  const skill = readSkillFile(name, read.text)
  if (!skill.ok) return `${file}:${skill.error.line}: ${skill.error.message}.`
  return { ...skill.value, source, path: pathOf(name), folder: folder.value }
}

/** Where a folder really is; null where nothing is. */
async function realFolderOf(folder: string, within: string | null): Promise<Result<string, string> | null> {
  try {
    const real = await realpath(folder)
    if (within === null || isBelow(await realpath(within), real)) return ok(real)
    return err(`its folder is a link that leaves ${within}`)
  } catch (cause) {
    const code = systemCodeOf(cause)
    if (code === null) throw cause
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : err(`its folder cannot be opened (${code})`)
  }
}
