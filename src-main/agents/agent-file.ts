// Owns reading one agent file: Markdown with front matter, the body its system prompt. Pure.
import { z } from 'zod'
import { ToolRule, type Agent } from '@common/agents/agent-schema'
import { builtinAgentOf } from '@common/agents/builtin-agents'
import { ruleProblem } from '@common/agents/tool-policy'
import { err, ok, type Result } from '@common/result'
import { fieldsOf, readFrontMatter, type FrontMatterProblem } from './front-matter'

/** Fields of a newer version are passed over; what we know must be right. */
const AgentFields = z.object({
  name: z.string().trim().min(1).max(80).optional(),
  description: z.string().trim().max(500).default(''),
  base: z.enum(['exec', 'plan', 'explore']).nullish(),
  model: z.string().trim().min(3).max(200).nullish(),
  tools: z.array(ToolRule).max(200).nullish()
})

/** The agent of a file; `id` is the file's name without its ending. Inherited rules come first. */
export function readAgentFile(
  id: string,
  file: string,
  source: Agent['source'],
  text: string
): Result<Agent, FrontMatterProblem> {
  const matter = readFrontMatter(text)
  if (!matter.ok) return matter
  const { body, lineOf } = matter.value
  const fields = fieldsOf(AgentFields, matter.value)
  if (!fields.ok) return fields
  const { name, description, base, model, tools } = fields.value
  for (const [index, rule] of (tools ?? []).entries()) {
    const problem = ruleProblem(rule)
    if (problem !== null) return err({ line: lineOf(['tools', index]), message: problem })
  }
  const inherited = base ? builtinAgentOf(base) : null
  const systemPrompt = body.trim() === '' ? (inherited?.systemPrompt ?? '') : body.trim()
  if (systemPrompt === '')
    return err({ line: 1, message: 'it has no text below the front matter, and no base to take it from' })
  const rules = [...(inherited?.rules ?? []), ...(tools ?? [])]
  return ok({
    id,
    name: name ?? id,
    description,
    base: base ?? null,
    model: model ?? null,
    rules,
    systemPrompt,
    source,
    file
  })
}
