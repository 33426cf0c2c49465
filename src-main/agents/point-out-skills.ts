// Owns the decision which skills a settled tool call points out (O-5), and the words for them. Pure.
import { MAX_SKILL_POINTERS, SKILL_POINTER_DESCRIPTION_CHARS } from '@common/constants'
import type { Row } from '@common/rows/row-schema'
import type { SkillPointer } from '@common/rows/skill-pointer'
import { skillNamesOf } from '@common/rows/skill-names'
import type { Skill } from './skill-loader'

/** Pointers for the paths that a call touched: skills about one of them that these rows of the window do not know. */
export function pointOutSkills(
  touched: readonly string[],
  skills: readonly Skill[],
  windowRows: () => readonly Row[]
): SkillPointer[] {
  const about = skills.filter((skill) => touched.some((path) => skill.isAbout(path)))
  if (about.length === 0) return []
  const known = new Set(skillNamesOf(windowRows()))
  return about
    .filter(({ name }) => !known.has(name))
    .slice(0, MAX_SKILL_POINTERS)
    .map(({ name, description, path }) => ({ name, text: pointerText(name, description, path) }))
}

function pointerText(name: string, description: string, path: string): string {
  return `[The skill “${name}” is about this path: ${cut(description)} Read its instructions with file_read at ${path}; the person can load it with /${name}.]`
}

/** At a character, as a sentence. */
function cut(description: string): string {
  const chars = [...description]
  if (chars.length > SKILL_POINTER_DESCRIPTION_CHARS)
    return `${chars.slice(0, SKILL_POINTER_DESCRIPTION_CHARS - 1).join('')}…`
  return /[.!?…]$/u.test(description) ? description : `${description}.`
}
