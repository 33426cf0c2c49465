// Owns which tools a request advertises, and in what bytes: constant within an agent, for the prompt cache.
import type { JSONSchema7, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { ToolRule } from '@common/agents/agent-schema'
import { mayCallSometimes } from '@common/agents/tool-policy'
import { activatedToolsOf } from '@common/rows/activated-tools'
import type { Row } from '@common/rows/row-schema'
import { z } from 'zod'

interface Advertisable {
  readonly name: string
  readonly description: string
  readonly inputSchema: z.ZodType
  readonly isDeferred?: boolean
}

/** A tool as it is advertised: the same object in every request, so that it is counted and hashed once. */
const advertised = new WeakMap<Advertisable, LanguageModelV3FunctionTool>()

/** What an agent may be offered; a deferred tool's schema only in windows in which a call activated it (P-4). */
export interface OfferedTools {
  readonly tools: readonly LanguageModelV3FunctionTool[]
  readonly deferredTools: readonly LanguageModelV3FunctionTool[]
}

/** The tools that the policy allows at least for some path, in registry order, as the provider takes them. */
export function offeredTools(tools: readonly Advertisable[], rules: readonly ToolRule[]): OfferedTools {
  const allowed = tools.filter((tool) => mayCallSometimes(rules, tool.name))
  return {
    tools: allowed.filter(({ isDeferred }) => isDeferred !== true).map(functionToolOf),
    deferredTools: allowed.filter(({ isDeferred }) => isDeferred === true).map(functionToolOf)
  }
}

/** What a request of these rows advertises; the very same list while nothing was activated. */
export function advertisedTools(
  { tools, deferredTools }: OfferedTools,
  windowRows: readonly Row[]
): readonly LanguageModelV3FunctionTool[] {
  if (deferredTools.length === 0) return tools
  const activated = activatedToolsOf(windowRows)
  return activated.size === 0 ? tools : [...tools, ...deferredTools.filter(({ name }) => activated.has(name))]
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
