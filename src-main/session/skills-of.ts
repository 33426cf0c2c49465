// Owns which skills a workspace, or a project on screen, works with now (O-5). Reads; changes nothing.
import type { ToolRule } from '@common/agents/agent-schema'
import { evaluatePolicy } from '@common/agents/tool-policy'
import { MAX_TOLD_SKILL_PROBLEMS } from '@common/constants'
import type { CommandView } from '@common/contract/window-views'
import type { Settings } from '@common/settings/settings-schema'
import { loadSkills, type LoadedSkills, type Skill } from '../agents/skill-loader'
import type { AppPaths } from '../files/app-paths'
import { SLASH_COMMANDS } from './slash-commands'

export interface SkillsFor {
  readonly paths: Pick<AppPaths, 'skills'>
  readonly settings: Pick<Settings, 'projects'>
  readonly projectId: string | null
  /** Where the project is; null without one. */
  readonly projectPath: string | null
}

/** The person's skills, and the project's once it is trusted. Problems are at most a few sentences. */
export async function skillsOf({ paths, settings, projectId, projectPath }: SkillsFor): Promise<LoadedSkills> {
  const { skills, problems } = await loadSkills({
    homeDir: paths.skills,
    projectDir: projectPath,
    projectTrusted: settings.projects.some(({ id, trusted }) => id === projectId && trusted === true),
    commandNames: SLASH_COMMANDS.map(({ name }) => name.slice(1))
  })
  const left = problems.length - MAX_TOLD_SKILL_PROBLEMS
  if (left <= 0) return { skills, problems }
  return {
    skills,
    problems: [...problems.slice(0, MAX_TOLD_SKILL_PROBLEMS), `${left} more skills cannot be used either.`]
  }
}

/** How a skill stands in the composer's menu. */
export function skillCommand({ name, description }: Skill): CommandView {
  return { kind: 'skill', name: `/${name}`, arguments: '[text]', description }
}

/** Those that an agent of these rules could read when they are pointed out to it. */
export function readableSkills(skills: readonly Skill[], rules: readonly ToolRule[]): Skill[] {
  return skills.filter(({ path }) => evaluatePolicy(rules, 'file_read', [path]).action === 'allow')
}
