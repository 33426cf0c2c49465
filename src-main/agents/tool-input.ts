// Owns reading what a model wrote as a tool's input; what is wrong is told by field, in words for the model.
import { err, ok, type Result } from '@common/result'
import type { ToolDefinition } from '../tools/tool-types'

/** Faults that one answer names. */
const MAX_NAMED_FAULTS = 5

/** The input as the tool takes it: unknown fields dropped, nothing invented. */
export function parseToolInput(definition: ToolDefinition, rawInput: unknown): Result<unknown, string> {
  const value = typeof rawInput === 'string' ? parseJson(rawInput) : rawInput
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err(`The input of ${definition.name} must be a JSON object; it was ${kindOf(rawInput)}.`)
  const parsed = definition.inputSchema.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  const faults = parsed.error.issues.slice(0, MAX_NAMED_FAULTS).map((issue) => {
    const field = issue.path.map(String).join('.')
    return field === '' ? issue.message : `${field}: ${issue.message}`
  })
  return err(`The input of ${definition.name} is not valid. ${faults.join('; ')}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw cause
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (typeof value === 'string') return 'text that is no JSON object'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
