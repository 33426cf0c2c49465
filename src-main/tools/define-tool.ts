// Owns joining a tool's contract (common) with what it does (here), and the touch of tools that touch no path.
import type { ApprovalSubject } from '@common/tools/approval'
import { TOOL_CONTRACTS, type ToolInput, type ToolName, type ToolOutput } from '@common/tools/tool-contracts'
import type { z } from 'zod'
import type { ToolDefinition, ToolTouch } from './tool-types'

type Does<Name extends ToolName> = Pick<ToolDefinition<ToolInput<Name>, ToolOutput<Name>>, 'touch' | 'execute'>

/** The definition of one of our own tools. */
export function defineTool<Name extends ToolName>(
  name: Name,
  does: Does<Name>
): ToolDefinition<ToolInput<Name>, ToolOutput<Name>> {
  const { description, input, output } = TOOL_CONTRACTS[name]
  return {
    name,
    description,
    inputSchema: input as unknown as z.ZodType<ToolInput<Name>>,
    outputSchema: output as unknown as z.ZodType<ToolOutput<Name>>,
    touch: does.touch,
    execute: does.execute
  }
}

/** The touch of a tool that reads nothing but what the app itself holds. */
export function touchesNothing(subject: ApprovalSubject): ToolTouch {
  return { effect: 'read', paths: [], outside: false, command: null, subject }
}
