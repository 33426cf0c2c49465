// Owns reading one SKILL.md (O-5): front matter with name, description and path globs, the body its instructions. Pure.
import { z } from 'zod'
import { compilePathGlob, type PathMatcher } from '@common/agents/path-glob'
import { MAX_SKILL_DESCRIPTION_CHARS, MAX_SKILL_GLOBS } from '@common/constants'
import { err, ok, type Result } from '@common/result'
import { fieldsOf, readFrontMatter, type FrontMatterProblem } from './front-matter'
import { isPlainName } from './plain-name'

export interface SkillText {
  readonly name: string
  /** One line. */
  readonly description: string
  /** The instructions, with line feeds alone. */
  readonly body: string
  /** Is the skill about this path? From the project, with forward slashes. False for all where it names no globs. */
  isAbout(path: string): boolean
}

/** Fields of a newer version or of other programs are passed over; what we know must be right. */
const SkillFields = z.object({
  name: z.string().trim().optional(),
  description: z.string().trim().min(1).max(MAX_SKILL_DESCRIPTION_CHARS),
  /** One glob may stand alone. */
  paths: z.preprocess(
    (paths) => (typeof paths === 'string' ? [paths] : paths),
    z.array(z.string()).max(MAX_SKILL_GLOBS).nullish()
  )
})

/** The skill of a file; its folder's name is its own where the front matter gives none. */
export function readSkillFile(folderName: string, text: string): Result<SkillText, FrontMatterProblem> {
  const matter = readFrontMatter(text)
  if (!matter.ok) return matter
  const { body, lineOf } = matter.value
  const fields = fieldsOf(SkillFields, matter.value)
  if (!fields.ok) return fields
  const name = (fields.value.name ?? folderName).normalize('NFC')
  if (!isPlainName(name))
    return err({
      line: lineOf(['name']),
      message: 'name: it is letters, digits, dots and dashes, so that it can be typed'
    })
  const matchers: PathMatcher[] = []
  for (const [index, glob] of (fields.value.paths ?? []).entries()) {
    const matcher = matcherOf(glob)
    if (typeof matcher === 'string') return err({ line: lineOf(['paths', index]), message: `paths: ${matcher}` })
    matchers.push(matcher)
  }
  const instructions = body.replace(/\r\n?/g, '\n').trim()
  if (instructions === '') return err({ line: 1, message: 'it has no instructions below the front matter' })
  return ok({
    name,
    description: fields.value.description.replace(/\s+/g, ' '),
    body: instructions,
    isAbout: (path) => matchers.some((matches) => matches(path))
  })
}

/**
 * As the glob tool reads one: without a slash it means a name at any depth. A folder with its slash means all in it.
 * Or what is wrong, in words.
 */
function matcherOf(glob: string): PathMatcher | string {
  const shown = JSON.stringify(glob.slice(0, 80))
  if (/\\[^\\*?[\]{},!]/.test(glob)) return `${shown} has a backslash; write paths with forward slashes`
  const plain = glob.trim().replace(/^\.?\//, '')
  if (plain === '') return `${shown} is no glob`
  const below = plain.endsWith('/') ? `${plain}**` : plain
  return compilePathGlob(below.includes('/') || below === '**' ? below : `**/${below}`) ?? `${shown} is no valid glob`
}
