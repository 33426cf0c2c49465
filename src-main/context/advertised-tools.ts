// Owns which tools a request advertises, and in what bytes: constant within an agent, for the prompt cache.
import type { JSONSchema7, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { ToolRule } from '@common/agents/agent-schema'
import { mayCallSometimes } from '@common/agents/tool-policy'
import { z } from 'zod'

interface Advertisable {
  readonly name: string
  readonly description: string
  readonly inputSchema: z.ZodType
}

/** A tool as it is advertised: the same object in every request, so that it is counted and hashed once. */
const advertised = new WeakMap<Advertisable, LanguageModelV3FunctionTool>()

/** The tools that the policy allows at least for some path, in registry order, as the provider takes them. */
export function advertisedTools(
  tools: readonly Advertisable[],
  rules: readonly ToolRule[]
): LanguageModelV3FunctionTool[] {
  return tools.filter((tool) => mayCallSometimes(rules, tool.name)).map(functionToolOf)
}

function functionToolOf(tool: Advertisable): LanguageModelV3FunctionTool {
  const known = advertised.get(tool)
  if (known !== undefined) return known
  // zod writes draft-7 JSON Schema, which is what JSONSchema7 describes.
  const inputSchema = z.toJSONSchema(tool.inputSchema, { target: 'draft-7', io: 'input' }) as JSONSchema7
  const made: LanguageModelV3FunctionTool = {
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema
  }
  advertised.set(tool, made)
  return made
}
