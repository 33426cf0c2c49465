// Owns the text of the system prompt. Pure: everything that it says is handed in, so that the same window
// always gives the same bytes (W-0).

export interface SystemPromptParts {
  /** The agent's own prompt. */
  readonly agentPrompt: string
  readonly projectPath: string
  readonly platform: string
  /** Day on which the window began, `YYYY-MM-DD`. */
  readonly date: string
  /** AGENTS.md or CLAUDE.md, of the person and of the project, already capped. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
}

/** The system text of a window: agent, surroundings, then the instructions, the project's last. */
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
  return [parts.agentPrompt.trim(), surroundings, ...instructions].join('\n\n')
}
