// Owns what an agent is: a system prompt, a tool policy, perhaps a model.
import { z } from 'zod'

/** One rule of a tool policy: an anchored regular expression over tool names, optionally path globs. */
export const ToolRule = z.object({
  match: z.string().min(1),
  action: z.enum(['allow', 'deny']),
  /** Globs relative to the project; the rule then holds for these paths only. */
  paths: z.array(z.string()).optional()
})
export type ToolRule = z.infer<typeof ToolRule>

export const Agent = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  base: z.enum(['exec', 'plan', 'explore']).nullable(),
  model: z.string().nullable(),
  /** Inherited rules first: the last match wins, no match means denied. */
  rules: z.array(ToolRule),
  systemPrompt: z.string(),
  source: z.enum(['built-in', 'home', 'project']),
  /** File it was read from, null for a built-in one. */
  file: z.string().nullable()
})
export type Agent = z.infer<typeof Agent>
