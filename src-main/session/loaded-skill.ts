// Owns the row of a skill that a person's message loads (O-5, P-6): `/name`, alone or before more text. A name that no
// skill has stays plain text.
import type { NewRow } from '@common/rows/row-schema'
import type { Skill } from '../agents/skill-loader'

export interface SkillSources {
  /** Those in force. */
  readonly skills: readonly Skill[]
  now(): number
}

/** The row that goes before the input of this text and id; null where it loads no skill. */
export function loadedSkillRow(text: string, inputId: string, { skills, now }: SkillSources): NewRow | null {
  const named = nameIn(text)
  const skill = named === null ? undefined : skills.find(({ name }) => name === named)
  if (skill === undefined) return null
  const { name, path, body } = skill
  return {
    id: skillRowId(inputId),
    role: 'user',
    parts: [{ type: 'text', text: `The skill “${name}” (${path}), loaded by the next message:\n\n${body}` }],
    metadata: {
      timestamp: now(),
      synthetic: true,
      uiVisible: true,
      machine: { type: 'prelude', source: 'skill', name, path, inputId }
    }
  }
}

/** Could a text load a skill? Then an edit of it looks for its row. */
export function mayLoadSkill(text: string): boolean {
  return nameIn(text) !== null
}

/** Id of the row of the skill that the input of this id loaded. */
export function skillRowId(inputId: string): string {
  return `${inputId}-skill`
}

function nameIn(text: string): string | null {
  return /^\s*\/([\p{L}\p{M}\p{N}._-]{1,100})(?=\s|$)/u.exec(text)?.[1]?.normalize('NFC') ?? null
}
