// Owns the text of the system prompt. Pure: everything that it says is handed in, so that the same window
// always gives the same bytes (W-0).
import { NOTES_PATH } from '@common/memory/notes-path'

export interface SystemPromptParts {
  /** The agent's own prompt. */
  readonly agentPrompt: string
  readonly projectPath: string
  readonly platform: string
  /** Day on which the window began, `YYYY-MM-DD`. */
  readonly date: string
  /** AGENTS.md or CLAUDE.md, of the person and of the project, already capped. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
  /**
   * Null where memory is off. `block`: the hot memories (Y-2), empty without any. `hasNotes`: windows carry the agent's
   * notes, so it is told to keep some (N-2).
   */
  readonly memory: { readonly access: 'on' | 'read-only'; readonly block: string; readonly hasNotes: boolean } | null
}

const MEMORY_GUIDANCE = {
  on: 'You have a memory that outlasts this conversation window: look into it with the memory tool when earlier work may matter, and keep there, briefly, what a later conversation will need (decisions and their reasons, conventions, corrections by the person), never a secret.',
  'read-only':
    'You have a memory of earlier conversations: look into it with the memory tool when earlier work may matter. It is read-only: nothing can be kept there.'
} as const

const NOTES_GUIDANCE = `Keep your working notes on the task in ${NOTES_PATH}, the essential first: when this window is full, the next one goes on from them.`

/** The system text of a window: agent, surroundings, instructions (the project's last), memory. */
export function systemPromptOf(parts: SystemPromptParts): string {
  const surroundings = [
    'Surroundings:',
    `- Project folder: ${parts.projectPath}`,
    `- Platform: ${parts.platform}`,
    `- Date when this conversation window began: ${parts.date}`
  ].join('\n')
  const instructions = parts.instructions.map(
    ({ path, text }) => `Instructions from ${path} (follow them unless the person says otherwise):\n\n${text.trim()}`
  )
  const memory = parts.memory === null ? [] : [guidanceOf(parts.memory), parts.memory.block]
  return [parts.agentPrompt.trim(), surroundings, ...instructions, ...memory].filter((text) => text !== '').join('\n\n')
}

function guidanceOf({ access, hasNotes }: NonNullable<SystemPromptParts['memory']>): string {
  return access === 'on' && hasNotes ? `${MEMORY_GUIDANCE.on} ${NOTES_GUIDANCE}` : MEMORY_GUIDANCE[access]
}
